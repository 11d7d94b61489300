/** The files of the archive of a member's data, with the query for each file's rows. */
export interface ExportFile {
  name: string;
  title: string;
  about: string;
  /** Selects the exportable columns of one member ($member, $telemetry) of one brand ($brand), in a stable order. */
  sql: string;
}

export const EXPORT_FILES: readonly ExportFile[] = [
  {
    name: "profile",
    title: "Your details",
    about: "Who you are to us.",
    sql: `select m.member_number, m.name, m.email, m.date_of_birth, t.name as member_type, s.name as member_status, c.name as job_category, r.name as job_role,
        m.stated_member_id as member_id, m.residence, m.additional_fields, m.verification, m.verified_until, f.enabled_at as two_step_sign_in_since,
        b.name as club, m.created_at as joined_at
      from members m join brands b on b.id = m.brand_id left join member_types t on t.id = m.member_type_id left join member_statuses s on s.id = m.member_status_id
        left join job_roles r on r.id = m.job_role_id left join job_categories c on c.id = r.job_category_id left join member_second_factors f on f.member_id = m.id
      where m.id = $member and m.brand_id = $brand order by m.id`,
  },
  {
    name: "details-changed",
    title: "Details you changed",
    about: "From what, to what, and when.",
    sql: `select field, from_text as "from", to_text as "to", changed_at from detail_changes where member_id = $member and brand_id = $brand order by changed_at, id`,
  },
  {
    name: "e-mail-addresses",
    title: "E-mail addresses",
    about: "The addresses that open your account.",
    sql: `select email, verified_at, created_at as added_at from member_emails where member_id = $member and brand_id = $brand order by created_at, id`,
  },
  {
    name: "sessions",
    title: "Where you are signed in",
    about: "Browsers, and the addresses they came from.",
    sql: `select user_agent as browser, ip_address, created_at as signed_in_at, updated_at as last_seen_at, expires_at as ends_at
      from member_sessions where member_id = $member and brand_id = $brand order by created_at, id`,
  },
  {
    name: "passkeys",
    title: "Passkeys",
    about: "Names and times. The keys themselves are in your devices.",
    sql: `select name, created_at as added_at, last_used_at from member_passkeys where member_id = $member and brand_id = $brand order by created_at, id`,
  },
  {
    name: "notes-about-you",
    title: "Notes about you",
    about: "What our people wrote about you for each other.",
    sql: `select text, created_at as written_at from member_notes where member_id = $member and brand_id = $brand order by created_at, id`,
  },
  {
    name: "operators-in-your-account",
    title: "Who of us asked to open your account",
    about: "Each question with your answer, and how much was seen and changed.",
    sql: `select operator_name as who, reason, state, asked_at, answered_at, started_at, ends_at, ended_at, ended_by, pages_seen, changes_made, last_request
      from account_access_requests where member_id = $member and brand_id = $brand order by asked_at, id`,
  },
  {
    name: "consents",
    title: "What you agreed to",
    about: "In which words, from when, until when.",
    sql: `select kind, wording, given_at, withdrawn_at from member_consents where member_id = $member and brand_id = $brand order by given_at, id`,
  },
  {
    name: "cookie-choices",
    title: "What you chose about cookies",
    about: "Each time, and for which purposes. Version is that of the words you were shown.",
    sql: `select version, purposes, has_signal as browser_sent_global_privacy_control, chosen_at from consent_choices
      where member_id = $member and brand_id = $brand order by chosen_at, id`,
  },
  {
    name: "mail-choices",
    title: "Which e-mails you chose",
    about: "On your page, or by the link of an e-mail.",
    sql: `select kind, is_wanted, way, chosen_at from mail_choices where member_id = $member and brand_id = $brand order by chosen_at, id`,
  },
  {
    name: "links-followed",
    title: "Links you followed to shops",
    about: "With the rates and terms that held then, and whether your browser let the shop’s tracking through.",
    sql: `select c.click_number, r.name as retailer, c.target_url as led_to, c.rate_snapshot, c.pre_flight as tracking_check,
        c.created_at as followed_at
      from clicks c join retailers r on r.id = c.retailer_id where c.member_id = $member and c.brand_id = $brand order by c.created_at, c.id`,
  },
  {
    name: "cashback",
    title: "Your cashback",
    about: "Each purchase that a shop has told us of. Amounts are pence.",
    sql: `select c.click_number, r.name as retailer, t.order_reference, e.entry_kind as kind, e.state, e.sale_pence, e.cashback_pence, e.reason_code as reason,
        e.purchased_at, e.tracked_at, e.confirmed_at, e.payable_at, e.paid_at, e.declined_at
      from cashback_entries e join retailers r on r.id = e.retailer_id join clicks c on c.id = e.click_id
        join network_transactions t on t.id = e.network_transaction_id
      where e.member_id = $member and e.brand_id = $brand order by e.created_at, e.id`,
  },
  {
    name: "cashback-changes",
    title: "What became of your cashback",
    about: "Each change of each purchase.",
    sql: `select c.click_number, h.version, h.change_kind as change, h.state, h.cashback_pence, h.difference_pence, h.reason_code as reason, h.changed_at
      from cashback_changes h join cashback_entries e on e.id = h.entry_id join clicks c on c.id = e.click_id
      where e.member_id = $member and e.brand_id = $brand order by h.changed_at, h.entry_id, h.version`,
  },
  {
    name: "ledger",
    title: "Your accounts in our ledger",
    about: "Every entry. A positive amount goes in, a negative one comes out.",
    sql: `select a.account_kind as account, t.transfer_kind as transfer, l.amount_pence, t.happened_at, t.transfer_key
      from ledger_accounts a join ledger_entries l on l.account_id = a.id join ledger_transfers t on t.id = l.transfer_id
        join members m on m.id = a.member_id and m.brand_id = $brand
      where a.member_id = $member order by t.happened_at, t.id, a.account_kind`,
  },
  {
    name: "claims",
    title: "Your claims",
    about: "What you said of missing, wrong and declined purchases, and the answers. Amounts are pence.",
    sql: `select l.public_id as claim, l.kind, l.state, r.name as retailer, c.click_number, l.order_reference, l.purchased_on, l.sale_pence, l.appeal as words,
        l.asked, l.reason_code as reason, l.answer, l.made_at, l.changed_at, l.decided_at
      from claims l join retailers r on r.id = l.retailer_id join clicks c on c.id = l.click_id
      where l.member_id = $member and l.brand_id = $brand order by l.made_at, l.id`,
  },
  {
    name: "claim-changes",
    title: "What became of your claims",
    about: "Each change of each claim.",
    sql: `select l.public_id as claim, h.version, h.state, h.changed_at from claim_changes h join claims l on l.id = h.claim_id
      where l.member_id = $member and l.brand_id = $brand order by h.changed_at, h.claim_id, h.version`,
  },
  {
    name: "claim-files",
    title: "Files of your claims",
    about: "What you added, and when it was deleted. Files that we still have are in the folder attachments.",
    sql: `select l.public_id as claim, a.original_name as file, a.size as file_bytes, a.public_id as file_id, a.received_at, null::timestamptz as deleted_at
      from attachments a join claims l on l.id = a.claim_id where a.member_id = $member and a.brand_id = $brand
      union all
      select l.public_id, null, d.size, null, d.received_at, d.deleted_at
      from attachment_deletions d join claims l on l.id = d.claim_id where d.member_id = $member and d.brand_id = $brand
      order by received_at, claim`,
  },
  {
    name: "claims-proposed",
    title: "Visits that we asked you about",
    about: "Whether you bought something, because a shop’s network told us so.",
    sql: `select c.click_number, p.proposed_at, p.dismissed_at as answered_at from claim_proposals p join clicks c on c.id = p.click_id
      where p.member_id = $member and p.brand_id = $brand order by p.proposed_at, p.click_id`,
  },
  {
    name: "gift-cards",
    title: "Gift cards",
    about:
      "What you ordered, and whether it became a card or a refund. Amounts are pence. Codes are not in this archive.",
    sql: `select orders.public_id as order, orders.placed_at, product.name as card, line.face_pence, line.price_pence, line.fee_pence, line.cashback_pence,
        line.state, line.reason, line.gift as present, line.paid_at, line.issued_at, line.refunded_at, line.expires_on
      from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id join gift_card_products product on product.id = line.product_id
      where orders.member_id = $member and orders.brand_id = $brand order by orders.placed_at, line.order_id, line.line_number`,
  },
  {
    name: "gift-card-wallet",
    title: "Your gift cards",
    about:
      "What you noted of each card, and which reminders we sent. Codes are not in this archive: see your gift cards.",
    sql: `select orders.public_id as order, product.name as card, line.face_pence, line.expires_on, line.first_shown_at, w.used_at, w.left_pence,
        w.left_read_at, w.reminded_days, w.insolvency_told_at
      from wallet_cards w join gift_card_lines line on line.id = w.line_id join gift_card_orders orders on orders.id = line.order_id
        join gift_card_products product on product.id = line.product_id
      where w.member_id = $member and w.brand_id = $brand order by line.issued_at, line.id`,
  },
  {
    name: "gift-card-spends",
    title: "What you spent with gift cards",
    about: "As you noted it. Amounts are pence.",
    sql: `select orders.public_id as order, product.name as card, s.amount_pence, s.note, s.noted_at
      from gift_card_spends s join gift_card_lines line on line.id = s.line_id join gift_card_orders orders on orders.id = line.order_id
        join gift_card_products product on product.id = line.product_id
      where s.member_id = $member and s.brand_id = $brand order by s.noted_at, s.id`,
  },
  {
    name: "presents",
    title: "Gift cards that you gave",
    about: "To whom, with which words, and what became of them.",
    sql: `select orders.public_id as order, product.name as card, line.face_pence, p.state, p.giver_name, p.recipient_name, p.recipient_email,
        p.message, p.design, p.send_on, p.made_at, p.sent_at, p.opened_at, p.taken_back_at
      from gift_card_presents p join gift_card_lines line on line.id = p.line_id join gift_card_orders orders on orders.id = line.order_id
        join gift_card_products product on product.id = line.product_id
      where orders.member_id = $member and orders.brand_id = $brand order by p.made_at, p.id`,
  },
  {
    name: "goodwill",
    title: "What we credited you with",
    about: "Beside cashback: why, and whether it was taken back. Amounts are pence.",
    sql: `select amount_pence, reason, note, state, given_at, reversed_at, reversal_note
      from goodwill_credits where member_id = $member and brand_id = $brand order by given_at, id`,
  },
  {
    name: "payouts",
    title: "Your withdrawals",
    about: "What was asked for, paid, failed and came back. Amounts are pence.",
    // Of a payout that the club stopped or took out of a batch the column names an operator or a batch, and not what the bank said.
    sql: `select state, method, amount_pence, bank_reference as reference, reason,
        case when processing_at is not null and reason <> 'operator' then bank_said end as bank_said, requested_at, processing_at as sent_at, paid_at, failed_at, returned_at
      from payouts where member_id = $member and brand_id = $brand order by requested_at, id`,
  },
  {
    name: "payout-holds",
    title: "When withdrawals were stopped",
    about: "Since when, and until when. Ask us for the reason.",
    sql: `select placed_at, lifted_at from payout_holds where member_id = $member and brand_id = $brand order by placed_at, id`,
  },
  {
    name: "invitations",
    title: "Your link for friends",
    about: "Your code, and when a browser or mailbox of yours was marked, to tell whether one person has two accounts.",
    sql: `select 'code' as what, code, shows_first_name, made_at as since from referral_codes where member_id = $member and brand_id = $brand
      union all
      select mark_kind, null, null, seen_at from member_marks where member_id = $member and brand_id = $brand order by since, what`,
  },
  {
    name: "bonuses",
    title: "Your bonuses",
    about: "For joining by an invitation, and for friends who joined by yours. Amounts are pence.",
    sql: `select b.side, b.amount_pence, b.state, b.end_reason, r.registered_at as joined_at, r.qualify_until, b.earned_at, b.payable_at
      from bonuses b join referrals r on r.id = b.referral_id where b.member_id = $member and b.brand_id = $brand order by r.registered_at, b.id`,
  },
  {
    name: "bank-details",
    title: "Bank details",
    about: "When you gave them. The numbers are encrypted and not in this archive.",
    sql: `select changed_at, usable_from from bank_details where member_id = $member and brand_id = $brand order by changed_at`,
  },
  {
    name: "codes",
    title: "Codes you were shown or given",
    about: "A code from a pool is yours alone.",
    sql: `select r.name as retailer, o.title as offer, v.code, v.revealed_at as at, 'shown' as what
      from code_reveals v join offers o on o.id = v.offer_id join retailers r on r.id = o.retailer_id join members m on m.id = v.member_id and m.brand_id = $brand
      where v.member_id = $member
      union all
      select r.name, o.title, c.code, c.assigned_at, case when c.voided_at is null then 'given' else 'given, void now' end
      from offer_codes c join offers o on o.id = c.offer_id join retailers r on r.id = o.retailer_id join members m on m.id = c.member_id and m.brand_id = $brand
      where c.member_id = $member order by at, what, offer`,
  },
  {
    name: "code-swaps",
    title: "Codes you swapped",
    about: "The first code is void. The second one is yours in its place.",
    sql: `select r.name as retailer, o.title as offer, old.code as void_code, fresh.code as new_code, s.reason, s.is_by_club, s.swapped_at
      from code_swaps s join offer_codes old on old.id = s.voided_code_id join offer_codes fresh on fresh.id = s.new_code_id
        join offers o on o.id = s.offer_id join retailers r on r.id = o.retailer_id join members m on m.id = s.member_id and m.brand_id = $brand
      where s.member_id = $member order by s.swapped_at, s.id`,
  },
  {
    name: "code-votes",
    title: "What you said of codes",
    about: "Whether they worked.",
    sql: `select r.name as retailer, o.title as offer, v.outcome, v.voted_at from code_votes v join offers o on o.id = v.offer_id join retailers r on r.id = o.retailer_id
        join members m on m.id = v.member_id and m.brand_id = $brand
      where v.member_id = $member order by v.voted_at, v.id`,
  },
  {
    name: "favourites",
    title: "Favourites",
    about: "Shops and offers you keep.",
    sql: `select 'offer' as kind, r.name as retailer, o.title as offer, f.created_at as kept_at
      from favourite_offers f join offers o on o.id = f.offer_id join retailers r on r.id = o.retailer_id join members m on m.id = f.member_id and m.brand_id = $brand
      where f.member_id = $member
      union all
      select 'retailer', r.name, null, f.created_at from favourite_retailers f join retailers r on r.id = f.retailer_id
        join members m on m.id = f.member_id and m.brand_id = $brand
      where f.member_id = $member order by kept_at, retailer, offer`,
  },
  {
    name: "offers-looked-at",
    title: "Offers you looked at lately",
    about: "The latest time of each.",
    sql: `select r.name as retailer, o.title as offer, v.viewed_at from viewed_offers v join offers o on o.id = v.offer_id join retailers r on r.id = o.retailer_id
        join members m on m.id = v.member_id and m.brand_id = $brand
      where v.member_id = $member order by v.viewed_at, v.offer_id`,
  },
  {
    name: "rate-alerts",
    title: "Rate alerts",
    about: "Rates you asked us to watch. Basis points of a percentage, pence of an amount.",
    sql: `select r.name as retailer, a.rate_kind, a.asked_value, a.created_at as asked_at, a.told_at as last_told_at
      from rate_alerts a join retailers r on r.id = a.retailer_id join members m on m.id = a.member_id and m.brand_id = $brand
      where a.member_id = $member order by a.created_at, a.id`,
  },
  {
    name: "proof-of-membership",
    title: "Proof of membership",
    about:
      "What you sent, what we decided, and when the file was deleted. Files that we still have are in the folder attachments.",
    sql: `select r.way, k.name as proof, r.state, r.reason, r.note, r.submitted_at, r.decided_at, r.valid_until, a.original_name as file, a.size as file_bytes,
        a.public_id as file_id, d.deleted_at as file_deleted_at
      from verification_requests r left join proof_kinds k on k.id = r.proof_kind_id left join attachments a on a.request_id = r.id
        left join attachment_deletions d on d.request_id = r.id
      where r.member_id = $member and r.brand_id = $brand order by r.submitted_at, r.id`,
  },
  {
    name: "work-e-mails",
    title: "Addresses at work",
    about: "That you gave as proof.",
    sql: `select email, requested_at, used_at as proved_at from work_email_checks where member_id = $member and brand_id = $brand order by requested_at, id`,
  },
  {
    name: "e-mails-sent",
    title: "E-mails we sent you",
    about: "Of the last 90 days. What they said is not kept.",
    sql: `select kind, subject, recipient as "to", state, created_at as written_at, settled_at as sent_at
      from mails where member_id = $member and (brand_id = $brand or kind = 'carer-move') order by created_at, id`,
  },
  {
    name: "moves-to-another-club",
    title: "Moves to another club",
    about: "What you were asked, and what you said; and from which club your account came, if it came from one.",
    sql: `select state, times_put_off, consent, agreed_at, moved_at, updated_at, null as came_from
      from carer_migrations where member_id = $member and brand_id = $brand
      union all select m.state, m.times_put_off, m.consent, m.agreed_at, m.moved_at, m.updated_at, b.name
      from carer_migrations m join brands b on b.id = m.brand_id join members here on here.id = m.new_member_id
      where m.new_member_id = $member and here.brand_id = $brand order by updated_at`,
  },
  {
    name: "closing-the-account",
    title: "Closing the account",
    about: "What you asked for and chose. Bank details are not in it.",
    sql: `select state, pending_choice, payable_choice, pending_pence, payable_pence, requested_at, cancelled_at
      from closures where member_id = $member and brand_id = $brand order by requested_at, id`,
  },
  {
    name: "telemetry",
    title: "What you did on our pages",
    about: "Where you agreed to it: pages and searches, and presses of the offers’ buttons.",
    sql: `select event_type as event, subject as about, extra_fields as other_fields, session_id as session, page_loaded_at, received_at
      from telemetry_events where user_id = any($telemetry) and brand_id = $brand order by received_at, id`,
  },
  {
    name: "archives",
    title: "Archives like this one",
    about: "When they were made. If one was not you, change your password.",
    sql: `select made_at from data_exports where member_id = $member and brand_id = $brand order by made_at, id`,
  },
];
