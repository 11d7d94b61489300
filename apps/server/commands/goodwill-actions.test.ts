import { claimRow, makeClaimClub, madeClaim, OPEN } from "@farthing/core/claims/claims.testing.ts";
import { decideClaim } from "@farthing/core/claims/operators.server.ts";
import { findBalance } from "@farthing/core/ledger/balances.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";
import { example } from "../../../docs/examples/fenced-blocks.ts";
import { commandEntries } from "./command-entries.testing.ts";
import { runGoodwillAction } from "./goodwill-actions.ts";

const { db } = await testDatabase();
const now = () => new Date("2026-11-20T10:00:00Z");
const limits = { dayPence: 50_000, memberPence: 5_000 };
const run = (...words: string[]) => runGoodwillAction({ db, limits, by: "op", now }, words);
let club: Awaited<ReturnType<typeof makeClaimClub>>;
let brand = "";
const email = "ada@members.example";
beforeAll(async () => {
  club = await makeClaimClub(db);
  const row = await db.selectFrom("brands").select("slug").where("id", "=", club.brandId).executeTakeFirstOrThrow();
  brand = row.slug;
  await db.updateTable("members").set({ email }).where("id", "=", club.memberId).execute();
});
const payable = () => findBalance(db, { account: { kind: "member_payable", memberId: club.memberId } });

/** Returns the words of a command line, with quoted ones whole. */
const wordsOf = (command: string) =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(4);

test("C7 the commands of docs/goodwill.md credit, settle a claim, list and take back", async () => {
  const claim = await madeClaim(db, club);
  const decision = { state: "declined", reason: "other", note: "closed down" } as const;
  await decideClaim(db, { publicId: claim, decision, by: "op", now: OPEN });
  const printed: string[] = [];
  for (const line of example("docs/goodwill.md", "npm run members:goodwill").trim().split("\n"))
    printed.push(
      (await run(...wordsOf(line.replace("<brand>", brand).replace("<e-mail>", email).replace("<claim>", claim)))).join(
        "\n",
      ),
    );
  const [given, settled, listed, reversed] = printed;
  expect(given).toBe("£5.00 credited. The member gets a mail.");
  expect(settled).toBe("£4.50 credited. The member gets a mail.");
  expect(listed).toContain(`TICKET-18`);
  expect(listed).toContain(`missing_cashback  claim ${claim}  by op: The shop closed down`);
  expect(reversed).toBe("£5.00 taken back. The member gets a mail.");
  expect(await payable()).toBe(450);
  expect(await claimRow(db, claim)).toMatchObject({ state: "goodwill" });
  expect((await run("list", brand, email)).join("\n")).toContain(
    "taken back 2026-11-20T10:00:00.000Z by op: Credited to the",
  );
  expect(
    (await commandEntries(db, "op")).map((entry) => entry.split(" ")[0]),
    "A1",
  ).toEqual(["goodwill.give", "goodwill.give", "goodwill.reverse"]);
  expect(await run("reverse", brand, "TICKET-17", "--note", "again")).toEqual([
    "It was taken back before; nothing was done.",
  ]);
});

const good = (changes: Record<string, string | null> = {}) => {
  const options = { "--reason": "delay", "--ref": "R-1", "--note": "a note", ...changes };
  return Object.entries(options).flatMap(([name, value]) => (value === null ? [] : [name, value]));
};

test.each([
  ["nothing", [], "npm run members:goodwill -- <action>"],
  ["an unknown action", ["toString"], "npm run members:goodwill -- <action>"],
  ["an unknown option", ["list", "--all", "yes"], "npm run members:goodwill -- <action>"],
  ["no amount", ["give", "BRAND", email, "five", ...good()], "five is not an amount"],
  ["zero", ["give", "BRAND", email, "0", ...good()], "0 is not an amount"],
  [
    "no reason",
    ["give", "BRAND", email, "5", ...good({ "--reason": null })],
    "Give a reason with --reason: our_mistake",
  ],
  ["another reason", ["give", "BRAND", email, "5", ...good({ "--reason": "toString" })], "Give a reason"],
  ["no reference", ["give", "BRAND", email, "5", ...good({ "--ref": null })], "Give a reference of your own"],
  ["an odd reference", ["give", "BRAND", email, "5", ...good({ "--ref": "a b" })], "Give a reference of your own"],
  ["no note", ["give", "BRAND", email, "5", ...good({ "--note": "x" })], "Say why with --note"],
  ["too much", ["give", "BRAND", email, "50.01", ...good()], "is left of the limit for this member in 365 days"],
  ["a stranger", ["give", "BRAND", "nobody@one.test", "5", ...good()], "has the address nobody@one.test"],
  ["no claim", ["claim", "none", "5", ...good()], "There is no claim none."],
  ["no credit", ["reverse", "BRAND", "none", "--note", "why not"], "There is no credit none"],
])("Z5 %s gets a sentence that says what to do, and credits nothing", async (_, words, sentence) => {
  const before = await payable();
  await expect(run(...words.map((word) => (word === "BRAND" ? brand : word)))).rejects.toThrow(sentence);
  expect(await payable()).toBe(before);
});
