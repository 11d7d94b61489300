import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { changeOperator, disableOperator, inviteOperator, resetOperator } from "./operations.server.ts";

const { db } = await testDatabase();

beforeAll(async () => {
  await insertBrand(db, { isDefault: true });
});
beforeEach(async () => {
  await db.deleteFrom("operators").execute();
});

/** Invites an owner, who has not joined yet. */
async function invitedOwner(): Promise<string> {
  const email = `${newId()}@club.example`;
  const invited = await inviteOperator(db, { operator: { email, name: "Ada", role: "owner" }, now: NOW });
  if (invited.outcome !== "invited") throw new Error(invited.outcome);
  return invited.id;
}

/** An owner who has chosen a password. */
async function owner(): Promise<string> {
  const id = await invitedOwner();
  await db.updateTable("operators").set({ password: "a hash" }).where("id", "=", id).execute();
  return id;
}

const disable = (id: string) => disableOperator(db, { id, now: NOW });
const demote = async (id: string) =>
  (await changeOperator(db, { id, name: "Ada", role: "support", version: 1, now: NOW })).outcome;

describe("A1 the last owner", () => {
  test("A1 an owner who has not joined, was reset or is disabled does not stand in for the one who can sign in", async () => {
    const first = await owner();
    const [reset, disabled] = [await owner(), await owner()];
    await invitedOwner();
    await resetOperator(db, { id: reset, now: NOW });
    expect(await disable(disabled), "the control: two can sign in").toBe("disabled");
    expect(await disable(first)).toBe("last-owner");
    expect(await demote(first)).toBe("last-owner");
    await owner();
    expect(await demote(first)).toBe("changed");
  });

  test("A1 an owner who has not joined can go while another owner is there, joined or not, but not the only one", async () => {
    const [mistyped, right] = [await invitedOwner(), await invitedOwner()];
    expect(await disable(mistyped)).toBe("disabled");
    expect(await disable(right)).toBe("last-owner");
    await owner();
    expect(await disable(right)).toBe("disabled");
  });
});
