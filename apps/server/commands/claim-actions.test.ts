import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findClaimRule } from "@farthing/core/claims/claim-rules.server.ts";
import { claimRow, madeClaim, makeClaimClub, OPEN, workOnce } from "@farthing/core/claims/claims.testing.ts";
import { addEvidence } from "@farthing/core/claims/operations.server.ts";
import { KEY, receivedFile } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, describe, expect, test } from "vitest";
import { commandLine } from "../command-line.ts";
import { filesFolder } from "./files-folder.ts";
import { CLAIM_USAGE, ClaimActionError, runClaimAction } from "./claim-actions.ts";

const { db } = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "claims-"));
afterAll(() => rmSync(folder, { recursive: true }));
const written = new Map<string, string>();
const parts = {
  db,
  key: KEY,
  by: "olive",
  now: () => OPEN,
  folderProblem: async (): Promise<string | null> => null,
  async write(name: string, text: string) {
    written.set(name, text);
    return name;
  },
};
const run = (...words: string[]) => runClaimAction(parts, words);
const refusal = (...words: string[]) => refusalWith({}, ...words);
const refusalWith = (other: Partial<typeof parts>, ...words: string[]) =>
  runClaimAction({ ...parts, ...other }, words).then(
    () => "",
    (error: unknown) => (error instanceof ClaimActionError ? error.message : `not an action's error: ${String(error)}`),
  );

describe("C7 npm run claims", () => {
  test("C7 lists, shows with its file, packs, asks, declines and accepts, and records who did", async () => {
    const club = await makeClaimClub(db, "awin");
    expect(await run("list")).toEqual(["No claim is under way."]);
    const id = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId: id, now: OPEN };
    await addEvidence(db, { ...own, file: receivedFile(Buffer.from("an order")), key: KEY });
    await workOnce(db, null, OPEN);
    expect((await run("list")).join("\n")).toContain('waits for "pack awin"');
    const shown = (await run("show", id)).join("\n");
    const file = /file {7}(\w+)/.exec(shown)![1]!;
    const out = join(folder, "order.jpg");
    await run("show", id, "--file", file, "--out", out);
    expect(readFileSync(out, "utf8")).toBe("an order");
    expect(await refusal("show", id, "--file", file, "--out", out)).toContain("already exists");
    const nowhere = join(folder, "nowhere", "order.jpg");
    expect(await refusal("show", id, "--file", file, "--out", nowhere)).toMatch(
      /^The file could not be written to .+nowhere\/order\.jpg \(ENOENT\)\. Give --out in a folder/,
    );
    expect(await refusal("accept", id), "it was never sent").toContain("the claim is open");
    expect((await run("pack", "awin")).join("\n")).toContain("1 claim.");
    expect([...written.values()][0]).toContain("ORDER-1");
    expect((await run("pack", "awin"))[0]).toContain("Nothing waits");
    await run("file", "1");
    await run("ask", id, "--note", "The invoice");
    expect(await claimRow(db, id)).toMatchObject({ state: "incomplete", asked: "The invoice" });
    await run("decline", id, "--reason", "returned", "--note", "Sent back", "--by", "oscar");
    expect((await run("show", id)).join("\n")).toContain("declined by oscar: Sent back");
    expect(await refusal("decline", id, "--reason", "returned")).toContain("the claim is declined");
  });

  test("A1 C7 what a command does to a claim or a pack, and a look at its evidence, is in the log with who typed it", async () => {
    const club = await makeClaimClub(db, "logged");
    const id = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId: id, now: OPEN };
    await addEvidence(db, { ...own, file: receivedFile(Buffer.from("an order")), key: KEY });
    await workOnce(db, null, OPEN);
    const { seq } = await db
      .selectFrom("audit_entries")
      .select((eb) => eb.fn.max("seq").as("seq"))
      .executeTakeFirstOrThrow();
    const shown = (await run("show", id)).join("\n");
    await run("show", id, "--file", /file {7}(\w+)/.exec(shown)![1]!, "--out", join(folder, "logged.jpg"));
    await refusal("accept", id);
    const pack = /Pack (\d+)/.exec((await run("pack", "logged")).join(" "))![1]!;
    await run("pack", "logged");
    await run("file", pack);
    await run("ask", id, "--note", "The invoice");
    await run("decline", id, "--reason", "returned", "--by", "oscar");
    const entries = await db
      .selectFrom("audit_entries")
      .selectAll()
      .where("seq", ">", seq ?? 0)
      .orderBy("seq")
      .execute();
    expect(entries.map(({ actor, action, subject_id }) => [actor, action, subject_id])).toEqual([
      ["command: olive", "claim.look", id],
      ["command: olive", "claim.pack", pack],
      ["command: olive", "claim-pack.download", pack],
      ["command: olive", "claim-pack.download", pack],
      ["command: olive", "claim.ask", id],
      ["command: oscar", "claim.decline", id],
    ]);
    expect(entries.at(-1)).toMatchObject({ before: { state: "incomplete" }, after: { state: "declined" } });
  });

  test("C7 where a pack can't be written, nothing is filed; where writing it fails afterwards, it says which pack it is", async () => {
    const club = await makeClaimClub(db, "full-disk");
    const id = await madeClaim(db, club);
    await workOnce(db, null, OPEN);
    const nowhere = filesFolder(join(folder, "nowhere"));
    expect(await refusalWith(nowhere, "pack", "full-disk")).toMatch(
      /^Nothing was done: .+nowhere is not .+ Set PAYOUTS_DIR/,
    );
    expect(await claimRow(db, id)).toMatchObject({ state: "open" });

    const fullDisk = {
      async write(): Promise<string> {
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      },
    };
    const said = await refusalWith(fullDisk, "pack", "full-disk");
    expect(await claimRow(db, id)).toMatchObject({ state: "filed" });
    const number = /^Pack (\d+): 1 claim\./.exec(said)?.[1] ?? "";
    expect(said).toContain("ENOSPC");
    expect(said).toContain(commandLine(`claims file ${number}`));
    expect(await refusalWith(fullDisk, "file", number)).toContain("ENOSPC");
    expect(await refusalWith(nowhere, "file", number)).toMatch(/^Nothing was done: /);
    expect((await run("file", number))[0]).toContain("written: ");
  });

  test("C7 says what to do where something is wrong", async () => {
    expect(await refusal()).toBe(CLAIM_USAGE);
    for (const words of [
      ["show"],
      ["list", "x"],
      ["accept", "x", "--colour", "red"],
      ["constructor"],
      ["accept", "x", "--note"],
    ])
      expect(await refusal(...words), words.join(" ")).toBe(CLAIM_USAGE);
    for (const action of ["show", "accept"]) expect(await refusal(action, "nope")).toContain("There is no claim nope");
    expect(await refusal("retry", "nope")).toContain("has not given up");
    expect(await refusal("ask", "nope")).toContain("Say with --note");
    expect(await refusal("decline", "nope", "--reason", "bored")).toContain("Give a reason");
    expect(await refusal("decline", "nope", "--reason", "other")).toContain("explains nothing");
    expect(await refusal("pack", "nowhere")).toContain("There is no network");
    expect(await refusal("file", "99")).toContain("There is no pack");
    expect(await refusal("rule", "nowhere", "usual", "30")).toContain("There is no retailer");
    expect(await refusal("rule", "nowhere", "40", "30")).toContain("The last day has to be after the first");
    expect(await refusal("rule", "nowhere", "x", "30")).toContain("a whole number of days from 0 to 365");
    expect(await refusal("rule", "nowhere", "5", "30", "--evidence", "maybe")).toContain("needs evidence");
    expect(await refusal("default-rule", "nowhere")).toContain("There is no retailer");
  });

  test("C7 a rule that a command sets, and drops, has the entries that the admin's have", async () => {
    const { shop } = await makeClaimClub(db);
    const slug = shop.retailerSlug;
    const rules = async () => (await findClaimRule(db, { slug }))?.own;
    expect((await run("rule", slug, "usual", "30", "--evidence", "yes"))[0]).toContain("Saved.");
    expect(await rules()).toEqual({ opensAfterDays: null, closesAfterDays: 30, needsEvidence: true });
    expect((await run("rule", slug, "usual", "30", "--evidence", "yes"))[0]).toContain("Nothing was changed");
    await run("default-rule", slug, "--by", "oscar");
    expect(await rules()).toBeNull();
    const entry = { action: "retailer.claim-rule", subject_type: "retailer", subject_id: slug };
    const [own, none] = ["from the usual day to day 30, with evidence", "the default"];
    expect(
      await db.selectFrom("audit_entries").selectAll().where("subject_id", "=", slug).orderBy("seq").execute(),
    ).toMatchObject([
      { ...entry, actor: "command: olive", before: { claim_rule: none }, after: { claim_rule: own } },
      { ...entry, actor: "command: oscar", before: { claim_rule: own }, after: { claim_rule: none } },
    ]);
  });
});
