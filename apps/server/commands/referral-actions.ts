import { commandLine } from "../command-line.ts";
import { formatPence, parsePounds } from "@farthing/core/money/money.ts";
import type { UnsubscribeKeys } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import {
  decideHold,
  holdReferral,
  listReferrals,
  type DecidedHold,
  type ListedReferral,
} from "@farthing/core/referrals/decide-hold.server.ts";
import {
  endProgramme,
  findProgramme,
  listProgrammes,
  startProgramme,
} from "@farthing/core/invitations/programmes.server.ts";
import { findReferralOfHold } from "@farthing/core/referrals/queries.server.ts";
import { HOLD_REASONS, refusalInWords, type HoldReason } from "@farthing/core/referrals/rules.ts";
import { friendTerms } from "@farthing/core/invitations/terms.ts";
import type { Db } from "@farthing/db/client.ts";
import { recorded } from "./recorded.ts";

export const REFERRAL_USAGE = `${commandLine("referrals <action>")}

  list                          the referrals that are held, with the reasons
  list all                      the newest 200
  show <referral or member>     one referral, or all of a member's number: states, holds, who decided what and why
  lift <hold> <why>             lifts a hold: the bonuses become what they would have been
  refuse <hold> <why>           refuses it: the bonuses end, unless they were withdrawn
  hold <referral>               holds a referral by hand
  rules [brand]                 every brand's programmes, with the terms that members read
  start <brand> <friend> <inviter> <cashback> <days> <bonuses> [until]
                                starts a programme from now on; a programme that is on ends
  end <brand>                   ends it for people who join from now on

<friend> and <inviter> are the bonuses in pounds, 0 for none. <cashback> is the smallest cashback, in pounds, of the purchase
that counts, <days> the days after joining in which it is made, <bonuses> the maximum for one inviter in 365 days, and
[until] a date such as 2027-03-31, from which nobody joins under it. Your system account is recorded.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class ReferralActionError extends Error {}

export interface ReferralActionParts {
  db: Db;
  /** Keys of the signatures on unsubscribe links. */
  keys: UnsubscribeKeys;
  by: string;
  now(): Date;
}

type Action = (parts: ReferralActionParts, words: readonly string[]) => Promise<string[]>;

/** Each action with the number of words that it needs. */
const actions: Readonly<Record<string, { min: number; max: number; run: Action }>> = {
  list: { min: 0, max: 1, run: list },
  show: { min: 1, max: 1, run: show },
  lift: { min: 2, max: 60, run: (parts, words) => decide(parts, words, "lifted") },
  refuse: { min: 2, max: 60, run: (parts, words) => decide(parts, words, "refused") },
  hold: { min: 1, max: 1, run: hold },
  rules: { min: 0, max: 1, run: rules },
  start: { min: 6, max: 7, run: start },
  end: { min: 1, max: 1, run: end },
};

/**
 * Runs one action of `npm run referrals` from its typed words. Returns the lines to print. @throws ReferralActionError
 * that says what to do
 */
export async function runReferralAction(parts: ReferralActionParts, [name = "", ...words]: readonly string[]) {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action || words.length < action.min || words.length > action.max) throw new ReferralActionError(REFERRAL_USAGE);
  return action.run(parts, words);
}

async function list({ db }: ReferralActionParts, [all]: readonly string[]): Promise<string[]> {
  if (all !== undefined && all !== "all") throw new ReferralActionError(REFERRAL_USAGE);
  const found = await listReferrals(db, { which: all ? "all" : "held" });
  if (found.length === 0) return [all ? "Nobody has been invited yet." : "No referral is held."];
  return found.flatMap(describe);
}

async function show({ db }: ReferralActionParts, [of = ""]: readonly string[]): Promise<string[]> {
  const found = await listReferrals(db, { which: { of } });
  if (found.length === 0) throw new ReferralActionError(`There is no referral ${of}, and none of a member ${of}.`);
  return found.flatMap(describe);
}

function describe({
  publicId,
  brand,
  inviterNumber,
  friendNumber,
  registeredAt,
  qualifyUntil,
  bonuses,
  holds,
}: ListedReferral) {
  return [
    `${publicId}  ${brand}  member ${inviterNumber} invited member ${friendNumber}  joined ${day(registeredAt)}  to buy before ${day(qualifyUntil)}`,
    ...bonuses.map(
      ({ side, state, amountPence, endReason }) =>
        `  ${side}: ${formatPence(amountPence)} ${state}${endReason === null ? "" : ` (${endReason})`}`,
    ),
    ...holds.flatMap(({ publicId: hold, reasons, placedAt, placedBy, decision, decidedBy, note }) => [
      `  hold ${hold}  since ${placedAt.slice(0, 10)} by ${placedBy}${decision === null ? "" : `  ${decision} by ${decidedBy}: ${note}`}`,
      ...reasons.map((reason) => `    ${HOLD_REASONS[reason as HoldReason]}`),
    ]),
  ];
}

async function decide(
  parts: ReferralActionParts,
  [publicId = "", ...words]: readonly string[],
  decision: "lifted" | "refused",
): Promise<string[]> {
  const note = words.join(" ").trim();
  if (note.length < 3 || note.length > 500) throw new ReferralActionError("Say why, in 3 to 500 characters.");
  const { db, keys, by } = parts;
  const referralId = await findReferralOfHold(db, { publicId });
  const what = {
    permission: "money.change",
    action: decision === "lifted" ? "referral.lift" : "referral.refuse",
    subject: { type: "referral", id: referralId ?? publicId },
    why: note,
    changed: ({ outcome }: DecidedHold) => outcome === "decided",
  } as const;
  const decided = await recorded(parts, what, (joined, now) =>
    decideHold(joined, { publicId, decision, note, by, keys, now }),
  );
  if (decided.outcome === "unknown")
    throw new ReferralActionError(`There is no hold ${publicId} in force. "list" shows those that are.`);
  return [
    decision === "lifted" ? "Lifted: the bonuses are what they would have been." : refusalInWords(decided.bonuses),
  ];
}

async function hold(parts: ReferralActionParts, [publicId = ""]: readonly string[]): Promise<string[]> {
  const { keys, by } = parts;
  const what = {
    permission: "money.change",
    action: "referral.hold",
    subject: { type: "referral", id: publicId },
    changed: (done: string) => done === "held",
  } as const;
  const outcome = await recorded(parts, what, (joined, now) => holdReferral(joined, { publicId, by, keys, now }));
  if (outcome === "unknown")
    throw new ReferralActionError(`There is no referral ${publicId}. "list all" shows the newest.`);
  if (outcome === "refused")
    throw new ReferralActionError("Nothing was done: the bonuses of this referral were refused and have ended.");
  return ["Held: what has not been withdrawn waits for your decision."];
}

async function rules({ db, now }: ReferralActionParts, [brand]: readonly string[]): Promise<string[]> {
  const found = await listProgrammes(db, { brand: brand ?? null });
  if (found.length === 0) return ["No brand has had a programme."];
  return found.flatMap((programme) => {
    const { publicId, friendPence, inviterPence, minCashbackPence, withinDays, maxPerYear, startsAt, endsAt } =
      programme;
    const isOn = startsAt <= now() && (endsAt === null || endsAt > now());
    return [
      `${publicId}  ${programme.brand}  ${isOn ? "on" : "off"}  from ${day(startsAt)}${endsAt ? ` until ${day(endsAt)}` : ""}  by ${programme.madeBy}`,
      `  friend ${formatPence(friendPence)}, inviter ${formatPence(inviterPence)}, cashback from ${formatPence(minCashbackPence)} within ${withinDays} days, at most ${maxPerYear} in 365 days`,
      ...(isOn ? friendTerms(programme).map((term) => `    ${term}`) : []),
    ];
  });
}

async function start(parts: ReferralActionParts, words: readonly string[]): Promise<string[]> {
  const [slug = "", friend = "", inviter = "", cashback = "", days = "", bonuses = "", until] = words;
  const { db, by } = parts;
  const at = parts.now();
  const endsAt =
    until === undefined ? null : new Date(/^\d{4}-\d{2}-\d{2}$/.test(until) ? `${until}T00:00:00Z` : Number.NaN);
  if (endsAt && !(endsAt > at)) throw new ReferralActionError(`${until} is not a date to come, such as 2027-03-31.`);
  const terms = {
    friendPence: poundsOf(friend, 0),
    inviterPence: poundsOf(inviter, 0),
    minCashbackPence: poundsOf(cashback, 1),
    withinDays: numberOf(days, 7, 365),
    maxPerYear: numberOf(bonuses, 1, 1000),
    endsAt,
  };
  if (terms.friendPence + terms.inviterPence === 0) throw new ReferralActionError("One of the two gets a bonus.");
  const brandId = await brandOf(db, slug);
  const what = {
    permission: "money.change",
    action: "referral-programme.start",
    subject: { type: "referral-programme", idOf: (made: { publicId: string }) => made.publicId },
  } as const;
  const { publicId } = await recorded({ db, by, now: () => at }, what, async (joined) => {
    await endRunning({ db: joined, by, now: () => at }, brandId);
    return startProgramme(joined, { ...terms, brandId, startsAt: at, by, now: at });
  });
  return [`Programme ${publicId} of ${slug} is on. Its terms:`, ...friendTerms(terms).map((term) => `  ${term}`)];
}

async function end(parts: ReferralActionParts, [slug = ""]: readonly string[]): Promise<string[]> {
  if (!(await endRunning(parts, await brandOf(parts.db, slug))))
    throw new ReferralActionError(`${slug} has no programme on.`);
  return ["Ended. Who has joined under it keeps what it promised."];
}

/** Ends the programme that a brand has on, with an entry in the log. Returns false if none is on. */
async function endRunning({ db, by, now }: Pick<ReferralActionParts, "db" | "by" | "now">, brandId: string) {
  const at = now();
  const running = await findProgramme(db, { brandId, now: at });
  if (!running) return false;
  const what = {
    permission: "money.change",
    action: "referral-programme.end",
    subject: { type: "referral-programme", id: running.publicId },
  } as const;
  return recorded({ db, by, now: () => at }, what, (joined) => endProgramme(joined, { brandId, at, by }));
}

async function brandOf(db: Db, slug: string): Promise<string> {
  const brand = await db.selectFrom("brands").select("id").where("slug", "=", slug).executeTakeFirst();
  if (!brand) throw new ReferralActionError(`There is no brand ${slug}.`);
  return brand.id;
}

function poundsOf(text: string, minPence: number): number {
  const pence = parsePounds(text);
  if (pence === null || pence < minPence || pence > 100_000)
    throw new ReferralActionError(`${text} is not an amount between ${formatPence(minPence)} and £1,000.00.`);
  return pence;
}

function numberOf(text: string, min: number, max: number): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new ReferralActionError(`${text} is not a number from ${min} to ${max}.`);
  return number;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
