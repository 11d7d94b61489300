import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { submitted } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const owner = await insertOperator(db, { role: "owner" });
const brand = await insertBrand(db);

/** Sends a proof of a new member, and returns the path of its page. */
async function sentProof(name: string): Promise<string> {
  const { memberId, publicId } = await submitted(db, { brandId: brand.id });
  await db.updateTable("members").set({ name }).where("id", "=", memberId).execute();
  return `/admin/verifications/${publicId}`;
}
const idOf = (path: string) => path.split("/").at(-1);
const html = async (path: string) => (await admin.get(path, owner)).text();

test("A1 A3 M4 after a decision the next proof is open, and says what was decided about whom", async () => {
  const [first, second] = [await sentProof("Ada First"), await sentProof("Bea Second")];
  const accepted = await admin.post(first, owner, { decision: "accept" });
  const next = accepted.headers.get("location") ?? "";
  expect([accepted.status, next]).toEqual([303, `${second}?after=${idOf(first)}`]);
  const page = await html(next);
  expect(page).toContain("Proof of Bea Second");
  expect(page).toMatch(new RegExp(`<a href="${first}">Ada First, ${brand.name}</a> was accepted`));
  expect(page).toContain(`<dd>${brand.name}</dd>`);

  const refused = await admin.post(second, owner, { decision: "reject", reason: "other", note: "" });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("“We could not accept it.” explains nothing by itself");
  const rejected = await admin.post(second, owner, { decision: "reject", reason: "cut_off", note: "" });
  expect(rejected.headers.get("location"), "the last one").toBe(`${second}?after=${idOf(second)}`);
  const last = await html(`${second}?after=${idOf(second)}`);
  expect(last).toMatch(/Bea Second, [^<]*<\/a> was rejected/);
  expect(last).toContain("No other proof waits.");
});

test("A1 the page says nothing of a proof that is unknown or still waits", async () => {
  const [one, other] = [await sentProof("Cleo Third"), await sentProof("Dan Fourth")];
  for (const after of [idOf(other), "nothing", "%00", ""]) {
    const page = await html(`${one}?after=${after}`);
    expect(page).toContain("Proof of Cleo Third");
    expect(page).not.toContain("gets an e-mail.</div>");
    expect(page).not.toContain("Dan Fourth");
  }
});

test("A3 M4 the list's filter names what is shown without a choice: the proofs that wait", async () => {
  const waiting = await sentProof("Eve Fifth");
  const page = await html("/admin/verifications");
  const select = /<select id="filter-state".*?<\/select>/s.exec(page)?.[0] ?? "";
  expect([...select.matchAll(/<option[^>]*>([^<]*)/g)].map((option) => option[1])).toEqual([
    ...["Waiting", "Accepted", "Rejected", "All"],
  ]);
  expect(page).toContain(waiting);
  expect(page).not.toContain("Ada First");
  expect(await html("/admin/verifications?state=accepted")).toContain("Ada First");
  // Saved views and links from before the state had no value.
  expect(await html("/admin/verifications?state=submitted")).toContain(waiting);
});
