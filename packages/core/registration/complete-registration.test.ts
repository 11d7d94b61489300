import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { findMemberTypes } from "../member-types/queries.server.ts";
import { seedMemberTypes } from "../member-types/reference-data/seed-member-types.server.ts";
import { completeRegistration } from "./complete-registration.server.ts";
import { findDraft, startDraft } from "./drafts.server.ts";
import type { Details } from "./read-registration.ts";
import { offerMemberTypes } from "./registration.testing.ts";

const { db } = await testDatabase();
beforeAll(async () => {
  await seedMemberTypes(db);
});

const details: Details = {
  name: "Ada Twice",
  dateOfBirth: "1988-02-29",
  residence: "GB",
  jobRoleNumber: null,
  statedMemberId: null,
  additionalAnswers: {},
  wantsOffers: false,
};

describe("a registration that is sent twice", () => {
  test("M1 S1 two concurrent requests make one member: the second waits for the first and sends no mail", async () => {
    const { id: brandId } = await insertBrand(db);
    await offerMemberTypes(db, brandId, ["education"]);
    const [type] = await findMemberTypes(db, brandId);
    const [status] = type?.statuses ?? [];
    if (!type || !status) throw new Error("No member type to register with");
    const email = "ada@twice.test";
    const start = { brandId, email, passwordHash: "a hash", memberTypeId: type.id, memberStatusId: status.id };
    const token = await startDraft(db, { ...start, replaces: null, now: NOW });
    const draft = await findDraft(db, { brandId, token, now: NOW });
    if (!draft) throw new Error("No draft to finish");
    const finish = () =>
      completeRegistration(db, {
        brand: { id: brandId, name: "Club" },
        draft,
        type,
        status,
        details,
        now: NOW,
        secret: "s",
      });

    // Both requests wait for the draft's row; it is released when both are waiting.
    const both = await db.transaction().execute(async (trx) => {
      await trx.selectFrom("registration_drafts").select("id").where("id", "=", draft.id).forUpdate().execute();
      const running = Promise.all([finish(), finish()]);
      await untilWaiting(db, 2);
      return { running };
    });
    await both.running;

    const mails = await db.selectFrom("mails").select("kind").where("brand_id", "=", brandId).execute();
    expect(mails).toEqual([{ kind: "confirm-email" }]);
    const members = await db.selectFrom("members").select("email").where("brand_id", "=", brandId).execute();
    expect(members).toEqual([{ email }]);
  });
});
