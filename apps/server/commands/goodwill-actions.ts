import { commandLine } from "../command-line.ts";
import { claimMemberOf } from "@farthing/core/goodwill/claim-member.server.ts";
import {
  giveGoodwill,
  reverseGoodwill,
  type GivenGoodwill,
  type ReversedGoodwill,
} from "@farthing/core/goodwill/operations.server.ts";
import { listGoodwill, type ListedGoodwill } from "@farthing/core/goodwill/queries.server.ts";
import {
  GOODWILL_REASONS,
  goodwillReasons,
  isGoodwillReason,
  type GoodwillLimits,
} from "@farthing/core/goodwill/rules.ts";
import { formatPence, parsePounds } from "@farthing/core/money/money.ts";
import type { Db } from "@farthing/db/client.ts";
import { recorded } from "./recorded.ts";

export const GOODWILL_USAGE = `${commandLine("members:goodwill <action>")}

  give <brand> <e-mail> <pounds> --reason <code> --ref <reference> --note <text>
                       credits a member; the same reference credits once
  claim <claim> <pounds> --ref <reference> --note <text> [--reason <code>]
                       credits the member of a declined claim, and ends the claim as settled by us
  reverse <brand> <reference> --note <why>
                       takes a credit back, once; a claim that it settled is declined again
  list [<brand> <e-mail>]
                       credits, the newest first

The member gets a mail, and reads the reason's words on the money page: the note is for operators, and in the member's archive.
Your system account is recorded; --by <name> records another name.
Reasons:
${goodwillReasons.map((code) => `  ${code.padEnd(18)}${GOODWILL_REASONS[code]}`).join("\n")}`;

/** An error that the person at the command line can fix; printed without a stack. */
export class GoodwillActionError extends Error {}

export interface GoodwillActionParts {
  db: Db;
  limits: GoodwillLimits;
  by: string;
  now(): Date;
}

type Options = ReadonlyMap<string, string>;
type Action = (parts: GoodwillActionParts, words: readonly string[], options: Options) => Promise<string[]>;

const actions: Readonly<Record<string, { words: readonly number[]; options: readonly string[]; run: Action }>> = {
  give: { words: [3], options: ["reason", "ref", "note"], run: give },
  claim: { words: [2], options: ["reason", "ref", "note"], run: claim },
  reverse: { words: [2], options: ["note"], run: reverse },
  list: { words: [0, 2], options: [], run: list },
};

/**
 * Runs one action of `npm run members:goodwill` from its typed words. Returns the lines to print. @throws GoodwillActionError
 * that says what to do
 */
export async function runGoodwillAction(parts: GoodwillActionParts, typed: readonly string[]): Promise<string[]> {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? "";
    if (!word.startsWith("--")) words.push(word);
    else {
      const value = typed[++at];
      if (value === undefined || value === "") throw new GoodwillActionError(GOODWILL_USAGE);
      options.set(word.slice(2), value);
    }
  }
  const [name = "", ...rest] = words;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  const isKnown = [...options.keys()].every((option) => option === "by" || action?.options.includes(option));
  if (!action || !action.words.includes(rest.length) || !isKnown) throw new GoodwillActionError(GOODWILL_USAGE);
  return action.run({ ...parts, by: options.get("by") ?? parts.by }, rest, options);
}

async function give(
  parts: GoodwillActionParts,
  [brand = "", email = "", pounds = ""]: readonly string[],
  options: Options,
) {
  return credit(parts, { ...(await memberOf(parts, brand, email)), pounds, claimPublicId: null, options });
}

async function claim(
  parts: GoodwillActionParts,
  [claimPublicId = "", pounds = ""]: readonly string[],
  options: Options,
) {
  const member = await claimMemberOf(parts.db, { publicId: claimPublicId });
  if (!member) throw new GoodwillActionError(`There is no claim ${claimPublicId}.`);
  const given = new Map([["reason", "missing_cashback"], ...options]);
  return credit(parts, { ...member, pounds, claimPublicId, options: given });
}

async function credit(
  parts: GoodwillActionParts,
  wanted: { brandId: string; memberId: string; pounds: string; claimPublicId: string | null; options: Options },
): Promise<string[]> {
  const { brandId, memberId, pounds, claimPublicId, options } = wanted;
  const amountPence = parsePounds(pounds);
  if (amountPence === null || amountPence <= 0)
    throw new GoodwillActionError(`${pounds} is not an amount. Give pounds, for example 5 or 4.50.`);
  const reason = options.get("reason") ?? "";
  if (!isGoodwillReason(reason))
    throw new GoodwillActionError(`Give a reason with --reason: ${goodwillReasons.join(", ")}.`);
  const reference = options.get("ref") ?? "";
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(reference))
    throw new GoodwillActionError(
      "Give a reference of your own with --ref, such as a ticket: letters, digits and . _ / - only.",
    );
  const note = noteOf(options);
  const what = {
    permission: "money.change",
    action: "goodwill.give",
    subject: { type: "goodwill", idOf: (done: GivenGoodwill) => (done.outcome === "given" ? done.publicId : "") },
    why: note,
    changed: (done: GivenGoodwill) => done.outcome === "given" && done.isNew,
  } as const;
  const given = await recorded(parts, what, (joined, now) =>
    giveGoodwill(joined, {
      brandId,
      memberId,
      amountPence,
      reason,
      note,
      reference,
      claimPublicId,
      limits: parts.limits,
      by: parts.by,
      now,
    }),
  );
  return describe(given, amountPence, reference);
}

function describe(given: GivenGoodwill, amountPence: number, reference: string): string[] {
  switch (given.outcome) {
    case "given":
      return [
        given.isNew
          ? `${formatPence(amountPence)} credited. The member gets a mail.`
          : `The reference ${reference} was used for this before; nothing was done.`,
      ];
    case "reference-taken":
      throw new GoodwillActionError(
        `Nothing was credited: the reference ${reference} was used for another credit, or for one that was taken back.`,
      );
    case "over-limit": {
      const who = given.limit === "member" ? "this member in 365 days" : "all members in 24 hours";
      const setting = given.limit === "member" ? "GOODWILL_PER_MEMBER" : "GOODWILL_PER_DAY";
      throw new GoodwillActionError(
        `Nothing was credited: ${formatPence(given.leftPence)} is left of the limit for ${who} (${setting}).`,
      );
    }
    case "no-such-member":
      throw new GoodwillActionError("Nothing was credited: the member has left.");
    case "no-such-claim":
      throw new GoodwillActionError("Nothing was credited: there is no such claim.");
    case "claim-not-declined":
      throw new GoodwillActionError(
        `Nothing was credited: the claim is ${given.state}, and only a declined one is settled so.`,
      );
  }
}

async function reverse(
  parts: GoodwillActionParts,
  [brand = "", reference = ""]: readonly string[],
  options: Options,
): Promise<string[]> {
  const note = noteOf(options);
  const row = await parts.db.selectFrom("brands").select("id").where("slug", "=", brand).executeTakeFirst();
  const what = {
    permission: "money.change",
    action: "goodwill.reverse",
    subject: {
      type: "goodwill",
      idOf: (done: ReversedGoodwill) => (done.outcome === "reversed" ? done.publicId : ""),
    },
    why: note,
    changed: (done: ReversedGoodwill) => done.outcome === "reversed" && done.isNew,
  } as const;
  const reversed =
    row &&
    (await recorded(parts, what, (joined, now) =>
      reverseGoodwill(joined, { brandId: row.id, reference, note, by: parts.by, now }),
    ));
  if (!reversed || reversed.outcome === "no-such-credit")
    throw new GoodwillActionError(`There is no credit ${reference} at ${brand}. "list" shows all.`);
  return [
    reversed.isNew
      ? `${formatPence(reversed.amountPence)} taken back. The member gets a mail.`
      : `It was taken back before; nothing was done.`,
  ];
}

function noteOf(options: Options): string {
  const note = options.get("note")?.trim() ?? "";
  if (note.length < 3 || note.length > 500)
    throw new GoodwillActionError("Say why with --note, in 3 to 500 characters, for whoever looks at it later.");
  return note;
}

const MAX_LISTED = 200;

async function list(parts: GoodwillActionParts, [brand, email]: readonly string[]): Promise<string[]> {
  const memberId = brand === undefined || email === undefined ? null : (await memberOf(parts, brand, email)).memberId;
  const credits = await listGoodwill(parts.db, { memberId, max: MAX_LISTED });
  return credits.length === 0 ? ["Nobody was credited."] : credits.flatMap(linesOf);
}

function linesOf(credit: ListedGoodwill): string[] {
  const { givenAt, brand, reference, memberNumber, amountPence, reason, note, claim, givenBy } = credit;
  const about = claim === null ? "" : `  claim ${claim}`;
  return [
    `${givenAt.toISOString()}  ${brand}  ${reference}  member ${memberNumber}  ${formatPence(amountPence)}  ${reason}${about}  by ${givenBy}: ${note}`,
    ...(credit.reversedAt === null
      ? []
      : [
          `  taken back ${credit.reversedAt.toISOString()} by ${credit.reversedBy ?? ""}: ${credit.reversalNote ?? ""}`,
        ]),
  ];
}

async function memberOf({ db }: GoodwillActionParts, brand: string, typed: string) {
  const email = typed.trim().normalize("NFC").toLowerCase();
  const found = await db
    .selectFrom("member_emails")
    .innerJoin("brands", "brands.id", "member_emails.brand_id")
    .select(["member_emails.member_id as memberId", "brands.id as brandId"])
    .where("brands.slug", "=", brand)
    .where("member_emails.email", "=", email)
    .executeTakeFirst();
  if (!found) throw new GoodwillActionError(`No member of ${brand} has the address ${email}.`);
  return found;
}
