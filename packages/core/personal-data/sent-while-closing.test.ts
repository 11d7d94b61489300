import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { askForAlert } from "../alerts/operations.server.ts";
import { insertCode, insertOffer, insertRetailer, NOW } from "../catalogue/catalogue.testing.ts";
import { addFavourite } from "../favourites/operations.server.ts";
import { createViewRecorder } from "../favourites/view-recorder.server.ts";
import { rememberMarks } from "../invitations/marks.server.ts";
import { findMemberTypes } from "../member-types/queries.server.ts";
import { seedMemberTypes } from "../member-types/reference-data/seed-member-types.server.ts";
import { changeDetails } from "../registration/own-details.server.ts";
import { offerMemberTypes } from "../registration/registration.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { submitProof } from "../verification-requests/submit-proof.server.ts";
import { receivedFile } from "../verification-requests/verification.testing.ts";
import { requestWorkEmailCheck } from "../verification-requests/work-email.server.ts";
import { castVote } from "../votes/operations.server.ts";
import { erasePersonalData } from "./erase-member.server.ts";
import { countExport } from "./export-archive.server.ts";

const { db } = await testDatabase();
let brandId: string;
let offer: { id: string; publicId: string };
let shop: string;
beforeAll(async () => {
  await seedMemberTypes(db);
  brandId = (await insertBrand(db)).id;
  await offerMemberTypes(db, brandId, ["education"]);
  const networkId = (await insertNetwork(db)).id;
  const retailer = await insertRetailer(db, { brandIds: [brandId] });
  shop = retailer.slug;
  offer = await insertOffer(db, { networkId, retailerId: retailer.id, kind: "code" });
  await insertCode(db, { offerId: offer.id, code: "SAVE" });
});

interface Who {
  brandId: string;
  memberId: string;
  now: Date;
}

const views = async ({ memberId, now }: Who) => {
  const failures: unknown[] = [];
  const recorder = createViewRecorder({ db, onError: (error) => failures.push(error) });
  recorder.record({ memberId, offerId: offer.id, now });
  await recorder.close();
  return failures[0] ?? "recorded";
};

const mark = Buffer.alloc(32, 1);
const vote = { variantPublicId: null, outcome: "worked" as const };
const details = {
  ...{ name: "Ada Again", dateOfBirth: "1988-02-29", residence: "GB", jobRoleNumber: null },
  ...{ statedMemberId: "1234567", additionalAnswers: {}, wantsOffers: false },
};

async function change(who: Who) {
  const types = await findMemberTypes(db, brandId);
  const [type] = types;
  return changeDetails(db, { ...who, types, type: type!, status: type!.statuses[0]!, details });
}

const file = receivedFile(Buffer.from("my payslip"));

/** What a member sends, what answers once the account is closed, and the tables that it is stored in. */
const writes: [string, (who: Who) => Promise<unknown>, unknown, string[]][] = [
  [
    "proof of membership",
    (who) => submitProof(db, { ...who, proofKind: null, file, key: "ab".repeat(32) }),
    { outcome: "unknown" },
    ["attachments", "verification_requests", "mails"],
  ],
  [
    "an address at work",
    (who) => requestWorkEmailCheck(db, { ...who, email: "ada@sch.example" }),
    { outcome: "unknown" },
    ["work_email_checks", "mails"],
  ],
  ["their details", change, null, ["detail_changes"]],
  [
    "a favourite",
    (who) => addFavourite(db, { ...who, favourite: { kind: "offer", id: offer.publicId } }),
    "full",
    ["favourite_offers"],
  ],
  ["an alert", (who) => askForAlert(db, { ...who, slug: shop }), "full", ["rate_alerts"]],
  ["a view of an offer", views, "recorded", ["viewed_offers"]],
  [
    "a vote on a code",
    (who) => castVote(db, { ...who, ...vote, offerPublicId: offer.publicId }),
    "not-revealed",
    ["code_votes"],
  ],
  [
    "the mark of a browser",
    (who) => rememberMarks(db, { ...who, marks: { browser: mark, mailbox: mark } }),
    undefined,
    ["member_marks"],
  ],
  ["the wish for an archive", (who) => countExport(db, who), false, ["data_exports"]],
];

async function member(): Promise<Who> {
  const { id: memberId } = await insertMember(db, { brandId, name: "Ada" });
  await db
    .insertInto("work_email_domains")
    .columns(["member_type_id", "domain"])
    .expression((query) =>
      query
        .selectFrom("member_types")
        .select(({ ref, val }) => [ref("id").as("member_type_id"), val("sch.example").as("domain")])
        .where("slug", "=", "education"),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await sql`update members set member_type_id = (select id from member_types where slug = 'education') where id = ${memberId}`.execute(
    db,
  );
  await db
    .insertInto("code_reveals")
    .values({ id: newId(), token_hash: newId(), member_id: memberId, offer_id: offer.id, revealed_at: NOW })
    .execute();
  return { brandId, memberId, now: NOW };
}

async function storedOf({ memberId }: Who, tables: string[]): Promise<string[]> {
  const stored: string[] = [];
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} where member_id = ${memberId}`.execute(db);
    if (rows.length > 0) stored.push(table);
  }
  return stored;
}

test.each(writes)(
  "M5 what is on its way while the account is closed is not stored after it: %s",
  async (_, write, answer, tables) => {
    const open = await member();
    await write(open);
    expect(await storedOf(open, tables), "of an open account").toEqual(tables);

    const leaver = await member();
    const closing = await db.startTransaction().execute();
    await erasePersonalData(closing, leaver);
    const written = write(leaver);
    await untilWaiting(db);
    await closing.commit().execute();
    expect(await written).toEqual(answer);
    expect(await write(leaver), "once more, afterwards").toEqual(answer);
    expect(await storedOf(leaver, tables)).toEqual([]);
    const left = db.selectFrom("members").select(["name", "date_of_birth"]).where("id", "=", leaver.memberId);
    expect(await left.executeTakeFirst()).toEqual({ name: "Closed account", date_of_birth: null });
  },
);
