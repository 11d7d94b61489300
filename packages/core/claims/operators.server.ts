import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { rateSnapshotSchema } from "../clicks/rate-snapshot.ts";
import { decimalPounds } from "../money/money.ts";
import type { DeclineReason } from "../networks/decline-reason.ts";
import { csvLine } from "../personal-data/csv.ts";
import { newId } from "@farthing/db/uuid.ts";
import { asClaim, changeClaim, claimIdOf, lockClaim, type Claim } from "./claim-row.server.ts";
import { orderKey } from "../claimed-orders/rules.ts";
import { canGo, expectedAmounts, type ClaimKind, type ClaimState } from "./rules.ts";
import { beginFiling } from "./work-claims.server.ts";

export interface ClaimForOperator {
  id: string;
  publicId: string;
  state: ClaimState;
  kind: ClaimKind;
  brand: string;
  network: string;
  retailer: string;
  memberNumber: string;
  orderReference: string;
  purchasedOn: string;
  salePence: number;
  clickNumber: string;
  clickedAt: Date;
  madeAt: Date;
  changedAt: Date;
  appeal: string | null;
  asked: string | null;
  answer: string | null;
  reasonCode: string | null;
  awaitsPack: boolean;
  packNumber: number | null;
  /** Set where the worker gave it up, or its network refused it. */
  lastError: string | null;
  givenUpAt: Date | null;
  /** Claims of other members about the same order. */
  rivals: number;
}

const select = sql`
  select claim.id, claim.public_id as "publicId", claim.state, claim.kind, brand.slug as brand, network.slug as network, retailer.name as retailer,
    member.member_number as "memberNumber", claim.order_reference as "orderReference", claim.purchased_on::text as "purchasedOn",
    claim.sale_pence as "salePence", click.click_number as "clickNumber", click.created_at as "clickedAt", claim.made_at as "madeAt",
    claim.changed_at as "changedAt", claim.appeal, claim.asked, claim.answer, claim.reason_code as "reasonCode", claim.awaits_pack as "awaitsPack",
    pack.pack_number as "packNumber", claim.last_error as "lastError", claim.given_up_at as "givenUpAt",
    (select count(*)::int from claims other where other.network_id = claim.network_id and other.order_key = claim.order_key
      and other.retailer_id in (select same_retailers(claim.retailer_id)) and other.id <> claim.id and other.state not in ('withdrawn', 'expired', 'declined')) as rivals
  from claims claim join brands brand on brand.id = claim.brand_id join networks network on network.id = claim.network_id
  join retailers retailer on retailer.id = claim.retailer_id join members member on member.id = claim.member_id
  join clicks click on click.id = claim.click_id
  left join lateral (select pack_id from claim_filings where claim_id = claim.id order by filing desc limit 1) filing on true
  left join claim_packs pack on pack.id = filing.pack_id`;

/** Returns the claims that are under way, the oldest first. */
export async function listClaimsForOperators(db: Db, { max = 200 } = {}): Promise<ClaimForOperator[]> {
  const { rows } = await sql<ClaimForOperator>`${select}
    where claim.state in ('incomplete', 'open', 'filed', 'accepted') order by claim.made_at, claim.id limit ${max}`.execute(
    db,
  );
  return rows;
}

export interface ShownClaim extends ClaimForOperator {
  files: { publicId: string; originalName: string; mediaType: string; size: number }[];
  changes: { state: string; madeBy: string; note: string | null; changedAt: Date }[];
}

export async function findClaimForOperator(db: Db, { publicId }: { publicId: string }): Promise<ShownClaim | null> {
  const { rows } = await sql<ClaimForOperator>`${select} where claim.public_id = ${publicId}`.execute(db);
  const claim = rows[0];
  if (!claim) return null;
  const [files, changes] = await Promise.all([
    db
      .selectFrom("attachments")
      .select(["public_id as publicId", "original_name as originalName", "media_type as mediaType", "size"])
      .where("claim_id", "=", claim.id)
      .orderBy("received_at")
      .execute(),
    db
      .selectFrom("claim_changes")
      .select(["state", "made_by as madeBy", "note", "changed_at as changedAt"])
      .where("claim_id", "=", claim.id)
      .orderBy("version")
      .execute(),
  ]);
  return { ...claim, files, changes };
}

export type OperatorDecision =
  | { state: "accepted"; note: string | null }
  | { state: "declined"; reason: DeclineReason; note: string | null }
  | { state: "incomplete"; asked: string };

export type Decided =
  | { outcome: "decided" }
  | { outcome: "not-now"; state: ClaimState }
  /** Its network has it and is asked again each day: a question of ours would be undone by the next answer. */
  | { outcome: "with-network" }
  | { outcome: "unknown" };

/** Records a retailer's answer that came outside the network's API. */
export async function decideClaim(
  db: Db,
  { publicId, decision, by, now }: { publicId: string; decision: OperatorDecision; by: string; now: Date },
): Promise<Decided> {
  return db.transaction().execute(async (trx): Promise<Decided> => {
    const id = await claimIdOf(trx, { publicId });
    const claim = id === undefined ? undefined : await lockClaim(trx, id);
    if (!claim) return { outcome: "unknown" };
    const { state } = decision;
    // Goodwill ends when its credit is taken back, and by nothing else.
    const isSettled = claim.state === "goodwill";
    if (isSettled || !canGo(claim.state, state) || (state === "accepted" && claim.filings === 0))
      return { outcome: "not-now", state: claim.state };
    if (state === "incomplete" && (await isAskedFor(trx, claim))) return { outcome: "with-network" };
    const note = decision.state === "incomplete" ? decision.asked : decision.note;
    const set =
      decision.state === "incomplete"
        ? { asked: decision.asked }
        : {
            answer: decision.note,
            decided_at: now,
            reason_code: decision.state === "declined" ? decision.reason : null,
          };
    await changeClaim(trx, claim, { state, by, note, now, set });
    return { outcome: "decided" };
  });
}

/** Whether the worker asks the network's API what came of the claim. */
async function isAskedFor(trx: Trx, claim: Claim): Promise<boolean> {
  if (claim.state !== "filed" || claim.given_up_at !== null || claim.awaits_pack) return false;
  const filing = await trx
    .selectFrom("claim_filings")
    .select("pack_id")
    .where("claim_id", "=", claim.id)
    .orderBy("filing", "desc")
    .limit(1)
    .executeTakeFirst();
  return filing?.pack_id === null;
}

/** Lets the worker try a claim again that it gave up, or leaves it to a pack. */
export async function retryClaim(db: Db, { publicId, now }: { publicId: string; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("claims")
    .set({ given_up_at: null, awaits_pack: false, attempts: 0, next_step_at: now })
    .where("public_id", "=", publicId)
    .where((eb) => eb.or([eb("given_up_at", "is not", null), eb("awaits_pack", "=", true)]))
    .where("state", "in", ["waiting", "incomplete", "open", "filed"])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const MAX_PACKED = 1_000;

/**
 * Takes the claims of a network that wait for a pack into one, and marks them as filed (C7). Null: the network is unknown. Two operators at the same
 * time get different claims. A claim whose order another member claims too is left out: a person decides about it first.
 */
export async function makePack(
  db: Db,
  { network, by, now }: { network: string; by: string; now: Date },
): Promise<{ packNumber: number | null; claims: number; leftOut: string[] } | null> {
  return db.transaction().execute(async (trx) => {
    const row = await trx.selectFrom("networks").select("id").where("slug", "=", network).executeTakeFirst();
    if (!row) return null;
    const rows = await trx
      .selectFrom("claims")
      .selectAll()
      .where("network_id", "=", row.id)
      .where("awaits_pack", "=", true)
      .where("state", "=", "open")
      .orderBy("made_at")
      .orderBy("id")
      .limit(MAX_PACKED)
      .forUpdate()
      .skipLocked()
      .execute();
    const claims = rows.map(asClaim);
    const leftOut: string[] = [];
    const packed: Claim[] = [];
    for (const claim of claims) {
      const rival = await trx
        .selectFrom("claims")
        .select("id")
        .where("network_id", "=", row.id)
        .where(sql<boolean>`retailer_id in (select same_retailers(${claim.retailer_id}))`)
        .where("order_key", "=", orderKey(claim.order_reference))
        .where("member_id", "<>", claim.member_id)
        .where("state", "not in", ["withdrawn", "expired", "declined"])
        .limit(1)
        .executeTakeFirst();
      if (rival) leftOut.push(claim.public_id);
      else packed.push(claim);
    }
    if (packed.length === 0) return { packNumber: null, claims: 0, leftOut };
    const pack = await trx
      .insertInto("claim_packs")
      .values({ id: newId(), network_id: row.id, made_at: now, made_by: by })
      .returning(["id", "pack_number"])
      .executeTakeFirstOrThrow();
    for (const claim of packed) {
      await beginFiling(trx, claim, { packId: pack.id, now });
      await changeClaim(trx, claim, { state: "filed", by, now, set: { awaits_pack: true } });
    }
    return { packNumber: pack.pack_number, claims: packed.length, leftOut };
  });
}

const PACK_HEADER = [
  "reference",
  "kind",
  "programme_id",
  "programme",
  "click_reference",
  "clicked_at",
  "order_reference",
  "purchased_on",
  "currency",
  "sale",
  "expected_commission",
];

/**
 * Returns a pack as CSV, the same whenever it is asked for; null: there is none. It says what the network needs to find the purchase, and nothing of the
 * member.
 */
export async function packFile(
  db: Db,
  { packNumber }: { packNumber: number },
): Promise<{ name: string; text: string } | null> {
  const pack = await db
    .selectFrom("claim_packs")
    .innerJoin("networks", "networks.id", "claim_packs.network_id")
    .select(["claim_packs.id", "networks.slug"])
    .where("pack_number", "=", packNumber)
    .executeTakeFirst();
  if (!pack) return null;
  const rows = await db
    .selectFrom("claim_filings as filing")
    .innerJoin("claims as claim", "claim.id", "filing.claim_id")
    .innerJoin("clicks as click", "click.id", "claim.click_id")
    .innerJoin("programmes as programme", "programme.id", "claim.programme_id")
    .select([
      "filing.reference",
      "filing.kind",
      "programme.network_programme_id",
      "programme.name",
      "click.reference as click_reference",
      "click.created_at",
      "click.rate_snapshot",
      "claim.order_reference",
      "claim.purchased_on",
      "claim.sale_pence",
    ])
    .where("filing.pack_id", "=", pack.id)
    .orderBy("claim.made_at")
    .orderBy("claim.id")
    .execute();
  const lines = rows.map((row) => {
    const commissionPence =
      expectedAmounts(rateSnapshotSchema.parse(row.rate_snapshot), row.sale_pence)?.commissionPence ?? null;
    return [
      row.reference,
      row.kind,
      row.network_programme_id,
      row.name,
      row.click_reference,
      row.created_at,
      row.order_reference,
      row.purchased_on,
      "GBP",
      decimalPounds(row.sale_pence),
      commissionPence === null ? "" : decimalPounds(commissionPence),
    ];
  });
  return {
    name: `claims-${pack.slug}-${packNumber}.csv`,
    text: `\uFEFF${[PACK_HEADER, ...lines].map(csvLine).join("")}`,
  };
}
