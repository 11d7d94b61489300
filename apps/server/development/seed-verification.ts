import { createHash } from "node:crypto";
import type { ReceivedFile } from "@farthing/core/attachments/rules.ts";
import { findAskedKinds } from "@farthing/core/verification-requests/asked-kinds.server.ts";
import { submitProof } from "@farthing/core/verification-requests/submit-proof.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import sharp from "sharp";
import { giveDetails } from "./seed-members.ts";

/** A demo proof older than this is dated to yesterday again. */
const FRESH_FOR_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * Creates demo accounts for proof of membership: in each brand `waiting@<brand>.example`, whose proof waits for a
 * decision, and, in brands whose members may move to the carers' club, `retired@<brand>.example`, who is offered the
 * move. They share the demo password and have all details of a registration. Demo proofs that have waited for weeks are dated to yesterday; what a person has
 * sent or decided is not changed. Returns the number of accounts created.
 */
export async function seedVerification(db: Db, { key, now }: { key: string; now: Date }): Promise<number> {
  const models = await db
    .selectFrom("members as model")
    .innerJoin("brands", "brands.id", "model.brand_id")
    .innerJoin("member_credentials as credential", "credential.member_id", "model.id")
    .leftJoin("member_types as type", "type.id", "model.member_type_id")
    .leftJoin("member_statuses as own", "own.id", "model.member_status_id")
    .leftJoin("carer_migration_rules as rule", "rule.brand_id", "brands.id")
    .leftJoin("member_statuses as status", "status.id", "rule.member_status_id")
    .leftJoin("member_types as retired_type", "retired_type.id", "status.member_type_id")
    .distinctOn("brands.id")
    .select([
      "brands.id as brandId",
      "brands.slug",
      "brands.name as brandName",
      "model.member_type_id as typeId",
      "model.member_status_id as statusId",
      "credential.password",
      "status.id as retiredId",
      "status.member_type_id as retiredTypeId",
    ])
    .select((one) => [
      one.fn.coalesce("type.is_organisation", one.lit(false)).as("isOrganisation"),
      one.fn.coalesce("own.hides_organisation_details", one.lit(false)).as("hidesDetails"),
      one.fn.coalesce("retired_type.is_organisation", one.lit(false)).as("isRetiredOrganisation"),
      one.fn.coalesce("status.hides_organisation_details", one.lit(false)).as("hidesRetiredDetails"),
    ])
    .where(sql<boolean>`model.email = 'member@' || brands.slug || '.example'`)
    .orderBy("brands.id")
    .execute();
  let made = 0;
  for (const model of models) {
    const { brandId, slug, brandName, typeId, statusId, password, retiredId, retiredTypeId } = model;
    const account = { brandId, password };
    const waiting = await addMember(db, {
      ...account,
      email: `waiting@${slug}.example`,
      name: "Ash Rowan",
      typeId,
      statusId,
      isOrganisation: model.isOrganisation,
      hidesOrganisationDetails: model.hidesDetails,
      verification: "unverified",
    });
    if (waiting) {
      made += 1;
      const file = await drawnPayslip({ name: "Ash Rowan", employer: brandName, now });
      const asked = await findAskedKinds(db, { member_type_id: typeId, member_status_id: statusId });
      // Carers and students are asked for no payslip: theirs is a document of no kind.
      const proofKind = asked.find(({ slug: kind }) => kind === "payslip")?.slug ?? null;
      await submitProof(db, { brandId, memberId: waiting, proofKind, file, key, now });
    }
    const retired =
      retiredId &&
      (await addMember(db, {
        ...account,
        email: `retired@${slug}.example`,
        name: "Pat Winter",
        typeId: retiredTypeId,
        statusId: retiredId,
        isOrganisation: model.isRetiredOrganisation,
        hidesOrganisationDetails: model.hidesRetiredDetails,
        verification: "verified",
      }));
    if (retired) made += 1;
  }
  await keepProofsFresh(db, now);
  return made;
}

async function keepProofsFresh(db: Db, now: Date): Promise<void> {
  const [old, yesterday] = [FRESH_FOR_DAYS, 1].map((days) => new Date(now.getTime() - days * DAY_MS)) as [Date, Date];
  await sql`
    with stale as (
      select request.id as request_id, attachment.id as attachment_id
      from verification_requests request
      join attachments attachment on attachment.request_id = request.id and attachment.received_at = request.submitted_at
      join members member on member.id = request.member_id
      join brands brand on brand.id = request.brand_id and member.email = 'waiting@' || brand.slug || '.example'
      where request.state = 'submitted' and request.submitted_at < ${old} and attachment.original_name like 'specimen-payslip-%'),
    proofs as (update attachments set received_at = ${yesterday} from stale where attachments.id = stale.attachment_id)
    update verification_requests set submitted_at = ${yesterday} from stale where verification_requests.id = stale.request_id`.execute(
    db,
  );
}

interface DemoMember {
  brandId: string;
  email: string;
  name: string;
  typeId: string | null;
  statusId: string | null;
  isOrganisation: boolean;
  hidesOrganisationDetails: boolean;
  verification: "unverified" | "verified";
  password: string | null;
}

/** Returns the new member's id; null if the account exists. */
async function addMember(db: Db, member: DemoMember): Promise<string | null> {
  const { brandId, email, name, typeId, statusId, verification, password } = member;
  const added = await db.transaction().execute(async (trx) => {
    const id = newId();
    const added = await trx
      .insertInto("members")
      .values({
        id,
        brand_id: brandId,
        email,
        name,
        email_verified: true,
        verification,
        member_type_id: typeId,
        member_status_id: statusId,
      })
      .onConflict((conflict) => conflict.columns(["brand_id", "email"]).doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) return null;
    await trx
      .insertInto("member_credentials")
      .values({ id: newId(), brand_id: brandId, member_id: id, account_id: id, provider_id: "credential", password })
      .execute();
    return id;
  });
  if (added !== null && typeId !== null) await giveDetails(db, { ...member, memberId: added, typeId });
  return added;
}

/** Returns a payslip that nobody can take for a real one. */
async function drawnPayslip({
  name,
  employer,
  now,
}: {
  name: string;
  employer: string;
  now: Date;
}): Promise<ReceivedFile> {
  const paidOn = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)); // the last day of last month
  const inWords = (options: Intl.DateTimeFormatOptions) =>
    paidOn.toLocaleDateString("en-GB", { ...options, timeZone: "UTC" });
  const line = (y: number, text: string, size = 28) =>
    `<text x="60" y="${y}" font-family="sans-serif" font-size="${size}" fill="#223">${text}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="700"><rect width="1000" height="700" fill="#fdfdf8"/>
    ${line(90, "SPECIMEN PAYSLIP", 44)}${line(170, `Employer: Friends of ${employer}`)}${line(220, `Name: ${name}`)}${line(270, `Pay date: ${inWords({ day: "numeric", month: "long", year: "numeric" })}`)}
    <rect x="60" y="320" width="880" height="4" fill="#223"/><rect x="620" y="360" width="300" height="200" fill="#111"/></svg>`;
  const bytes = await sharp(Buffer.from(svg)).jpeg().toBuffer();
  return {
    originalName: `specimen-payslip-${inWords({ month: "long" }).toLowerCase()}.jpg`,
    mediaType: "image/jpeg",
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest(),
    async *parts() {
      yield bytes;
    },
  };
}
