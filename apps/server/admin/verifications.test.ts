import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { deleteDueAttachments } from "@farthing/core/attachments/store.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { submitProof } from "@farthing/core/verification-requests/submit-proof.server.ts";
import { KEY, receivedFile, submitted } from "@farthing/core/verification-requests/verification.testing.ts";
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

test("A1 A2 M4 proof that was rejected by mistake is accepted after all, after a question and with a reason", async () => {
  const proof = await sentProof("Fay Sixth");
  const meant = { decision: "accept-after-all", confirmed: "yes", why: "The name is on page two" };
  expect((await admin.post(proof, owner, meant)).status, "nobody has rejected it").toBe(409);
  await admin.post(proof, owner, { decision: "reject", reason: "cut_off", note: "" });
  expect(await html(proof)).toContain("Accept after all …");
  const asked = await (await admin.post(proof, owner, { decision: "accept-after-all" })).text();
  expect(asked).toContain("Accept the proof of Fay Sixth after all?");
  expect(asked).toContain("for a year from today, or from the end of a membership that still runs");
  expect((await admin.post(proof, owner, { ...meant, why: "" })).status).toBe(422);
  const done = await admin.post(proof, owner, meant);
  expect([done.status, done.headers.get("location")]).toEqual([303, `${proof}?after=${idOf(proof)}`]);
  expect(await html(`${proof}?after=${idOf(proof)}`)).toMatch(/Fay Sixth, [^<]*<\/a> was accepted/);
  expect(await html(proof)).not.toContain("Accept after all …");
  const late = await admin.post(proof, owner, meant);
  expect([late.status, (await late.text()).includes("it is accepted")]).toEqual([409, true]);
  const entries = await db
    .selectFrom("audit_entries")
    .select(["action", "why"])
    .where("subject_id", "=", idOf(proof) ?? "")
    .orderBy("seq")
    .execute();
  expect(entries).toEqual([
    { action: "verification.reject", why: "cut_off" },
    { action: "verification.accept-after-all", why: meant.why },
  ]);
});

test("A2 M4 a rejection leads to the newer proof of its member, and says so where the file was deleted", async () => {
  const { memberId, publicId } = await submitted(db, { brandId: brand.id });
  const proof = `/admin/verifications/${publicId}`;
  await admin.post(proof, owner, { decision: "reject", reason: "cut_off", note: "" });
  const newer = await submitProof(db, {
    ...{ brandId: brand.id, memberId, proofKind: null, key: KEY },
    ...{ file: receivedFile(Buffer.from("the rest")), now: new Date() },
  });
  if (newer.outcome !== "submitted") throw new Error(newer.outcome);
  const page = await html(proof);
  expect(page).toContain(`<a href="/admin/verifications/${newer.publicId}">decide the new proof instead</a>`);
  expect(page).not.toContain("Accept after all …");
  const meant = { decision: "accept-after-all", confirmed: "yes", why: "It was right" };
  const late = await admin.post(proof, owner, meant);
  expect([late.status, (await late.text()).includes("Decide that one instead")]).toEqual([409, true]);

  const gone = await sentProof("Gus Seventh");
  await admin.post(gone, owner, { decision: "reject", reason: "cut_off", note: "" });
  await deleteDueAttachments(db, { now: new Date("2200-01-01T00:00:00Z") });
  expect(await html(gone)).toContain("The file was deleted, so it can’t be accepted any more.");
  expect((await admin.post(gone, owner, meant)).status).toBe(409);
});

test("A2 A3 M4 proofs are found by the name and the address of their member, in every state", async () => {
  const [one, other] = [await sentProof("Hilda Harkness"), await sentProof("Ida Eighth")];
  const { member_id: memberId } = await db
    .selectFrom("verification_requests")
    .select("member_id")
    .where("public_id", "=", idOf(other) ?? "")
    .executeTakeFirstOrThrow();
  const { email } = await db.selectFrom("members").select("email").where("id", "=", memberId).executeTakeFirstOrThrow();
  const found = async (q: string, state = "") => {
    const page = await html(`/admin/verifications?q=${encodeURIComponent(q)}&state=${state}`);
    return [page.includes(one), page.includes(other)];
  };
  expect(await found("harkness hilda")).toEqual([true, false]);
  expect(await found(email)).toEqual([false, true]);
  await admin.post(one, owner, { decision: "reject", reason: "cut_off", note: "" });
  expect([await found("harkness"), await found("harkness", "rejected")]).toEqual([
    [false, false],
    [true, false],
  ]);
});
