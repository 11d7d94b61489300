import type { LoadStep, RowCounts } from "./row-counts.ts";

/** Members, their proof, mails and invitations; operators' log. */
export function peopleStatements({ members, part }: RowCounts): LoadStep[] {
  const requests = part(500_000, 60);
  const waiting = part(500, 20);
  const referrals = part(50_000, 150);
  const mails = part(300_000, 60);
  const audits = part(200_000, 120);
  const brand = "join load_brands brand on brand.place = n % 8";
  return [
    {
      makes: "members",
      statements: [
        `create temp table load_types as select row_number() over (order by slug)::int - 1 as place, id from member_types`,
        `insert into members (id, brand_id, email, email_verified, name, member_number, member_type_id, verification, suspended_at, closed_at, created_at, updated_at)
          select pg_temp.id(16, n), brand.id, lower(pg_temp.first_name(drawn) || '.' || pg_temp.last_name(drawn / 31)) || '.' || n || '@' || pg_temp.one_of(array['post','mail','inbox','letters'], drawn) || '.example', true,
            pg_temp.first_name(drawn) || ' ' || pg_temp.last_name(drawn / 31), upper(pg_temp.code('m', n)), type.id,
            case when n % 20 = 0 then 'unverified' when n % 20 = 1 then 'lapsed' when n > ${members - waiting} then 'submitted' else 'verified' end,
            case when n % 1000 = 7 then pg_temp.moment(0.95) end, case when n % 200 = 9 then pg_temp.moment(0.97) end, pg_temp.moment(n * 1.0 / ${members}), pg_temp.moment(n * 1.0 / ${members})
          from (select n, pg_temp.drawn(n) as drawn from generate_series(1, ${members}) n) made ${brand}
          join load_types type on type.place = n % (select count(*) from load_types)`,
        `insert into member_emails (id, brand_id, member_id, email, verified_at, main_since, created_at)
          select gen_random_uuid(), brand_id, id, email, created_at, created_at, created_at from members`,
      ],
    },
    {
      makes: "proofs of membership",
      statements: [
        `insert into verification_requests (id, public_id, brand_id, member_id, way, is_renewal, state, reason, submitted_at, decided_at, decided_by, valid_until)
          select pg_temp.id(17, n), pg_temp.code('v', n), brand.id, pg_temp.id(16, n), 'document', false, case n % 10 when 0 then 'rejected' else 'accepted' end,
            case n % 10 when 0 then 'unreadable' end, pg_temp.moment(n * 0.98 / ${requests}), pg_temp.moment(n * 0.98 / ${requests}) + interval '2 hours', 'support@club.example',
            case n % 10 when 0 then null else pg_temp.moment(n * 0.98 / ${requests}) + interval '1 year' end from generate_series(1, least(${requests}, ${members - waiting})) n ${brand}`,
        `insert into verification_requests (id, public_id, brand_id, member_id, way, is_renewal, state, submitted_at)
          select pg_temp.id(18, n), pg_temp.code('w', n), brand.id, pg_temp.id(16, n), 'document', false, 'submitted', pg_temp.moment(0.99 + (n - ${members - waiting}) * 0.009 / ${waiting})
          from generate_series(${members - waiting + 1}, ${members}) n ${brand}`,
      ],
    },
    {
      makes: "mails, notes, sessions, invitations",
      statements: [
        `insert into mails (id, brand_id, member_id, recipient, kind, subject, state, created_at, settled_at)
          select pg_temp.id(19, n), member.brand_id, member.id, member.email, 'cashback-confirmed', 'Your cashback is confirmed', case when n % 3000 = 0 then 'given-up' else 'sent' end,
            pg_temp.moment(n * 1.0 / ${mails}), pg_temp.moment(n * 1.0 / ${mails}) from generate_series(1, ${mails}) n join members member on member.id = pg_temp.id(16, 1 + n % ${members})`,
        `insert into mails (id, brand_id, member_id, recipient, kind, state, next_try_at, last_error, attempts, created_at)
          select pg_temp.id(20, n), member.brand_id, member.id, member.email, 'cashback-confirmed', 'waiting', pg_temp.moment(1), case when n % 2 = 0 then 'the host does not answer' end, 2, pg_temp.moment(1)
          from generate_series(1, ${part(500)}) n join members member on member.id = pg_temp.id(16, n)`,
        `insert into member_notes (id, brand_id, member_id, written_by, text, created_at) select pg_temp.id(21, n), brand.id, pg_temp.id(16, n), 'support@club.example', 'Rang about a claim.', pg_temp.moment(0.9)
          from generate_series(1, ${part(30_000)}) n ${brand}`,
        `insert into referral_programmes (id, brand_id, friend_pence, inviter_pence, min_cashback_pence, within_days, max_per_year, starts_at, made_at, made_by)
          select pg_temp.id(22, place), id, 500, 500, 500, 180, 20, pg_temp.moment(0), pg_temp.moment(0), 'owner@club.example' from load_brands`,
        `insert into referrals (id, public_id, brand_id, programme_id, inviter_id, member_id, registered_at, qualify_until)
          select pg_temp.id(23, n), pg_temp.code('r', n), brand.id, pg_temp.id(22, brand.place), pg_temp.id(16, n), pg_temp.id(16, n + 8), pg_temp.moment(n * 1.0 / ${referrals}), pg_temp.moment(n * 1.0 / ${referrals}) + interval '180 days'
          from generate_series(1, least(${referrals}, ${members - 8})) n ${brand}`,
        `insert into bonuses (id, brand_id, referral_id, member_id, side, amount_pence, state, earned_at, payable_at, changed_at)
          select pg_temp.id(24, n * 2 + side), brand.id, pg_temp.id(23, n), pg_temp.id(16, n + 8 * (1 - side)), pg_temp.one_of(array['friend', 'inviter'], side), 500, 'payable', pg_temp.moment(0.9), pg_temp.moment(0.9), pg_temp.moment(0.9)
          from generate_series(1, least(${referrals}, ${members - 8})) n ${brand} cross join generate_series(0, 1) side`,
        `insert into referral_holds (id, public_id, referral_id, reasons, placed_at, placed_by) select pg_temp.id(25, n), pg_temp.code('h', n), pg_temp.id(23, n * 7), array['same_device'], pg_temp.moment(0.98), 'the server'
          from generate_series(1, ${part(200)}) n where n * 7 <= least(${referrals}, ${members - 8})`,
      ],
    },
    {
      makes: "the audit log (its hashes are no chain)",
      statements: [
        `insert into audit_entries (id, seq, at, actor, action, subject_type, subject_id, before, after, why, previous_hash, hash)
          select pg_temp.id(26, n), n, pg_temp.moment(n * 1.0 / ${audits}), pg_temp.one_of(array['ada','joan','kofi','leila','morag'], n / 3) || '@club.example',
            pg_temp.one_of(array['verification.accept','verification.reject','claim.decline','member.suspend','member.restore','offer.change'], n),
            pg_temp.one_of(array['verification','verification','claim','member','member','offer'], n), pg_temp.id(16, 1 + n % ${members})::text, '{"state": "submitted"}', '{"state": "accepted"}', 'as seen',
            sha256(int8send(n - 1)), sha256(int8send(n)) from generate_series(1, ${audits}::bigint) n`,
      ],
    },
  ];
}
