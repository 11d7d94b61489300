import { commandLine } from "../command-line.ts";
import type { VerbOf } from "@farthing/core/audit/actions.ts";
import { dueLines } from "@farthing/core/gift-cards/due-lines.server.ts";
import { IssuerUnavailableError, type CardIssuer } from "@farthing/core/gift-cards/issuer.ts";
import { bookFloatPayment, setReward, stopProduct } from "@farthing/core/gift-cards/operations.server.ts";
import {
  bookedFloat,
  findLines,
  findProductIds,
  listOpenLines,
  type ListedLine,
} from "@farthing/core/gift-cards/queries.server.ts";
import { resolveLine, type Decision, type Resolved } from "@farthing/core/gift-cards/resolve-line.server.ts";
import { cardKeyId } from "@farthing/core/gift-cards/card-seal.ts";
import { rotateCards } from "@farthing/core/gift-cards/rotate-cards.server.ts";
import { syncCatalogue } from "@farthing/core/gift-cards/sync-catalogue.server.ts";
import { TransferConflictError } from "@farthing/core/ledger/operations.server.ts";
import { formatPence, parsePounds } from "@farthing/core/money/money.ts";
import type { SecretKeys } from "@farthing/core/secrets/sealed-secret.ts";
import type { Db } from "@farthing/db/client.ts";
import { recorded } from "./recorded.ts";

export const GIFT_CARD_USAGE = `${commandLine("gift-cards <action>")}

  list                              paid lines that are not decided, the oldest first: held ones and those under way
  show <line or order>              what happened to a line, or to each line of an order; never a code
  resolve <line> issue              releases a held line
  resolve <line> refund             refunds a line; a card that may exist is taken back first
  resolve <line> refunded           records a refund that you have seen at the card provider
  resolve <line> retry              takes the next step now
  float                             what each issuer has of ours, and what the books say
  float <issuer> <pounds> <ref>     books money paid to an issuer, once per reference of the bank
  sync [issuer]                     reads the catalogues of the issuers now
  stop <product> <why>              stops the sale of a product
  insolvent <product> <why>         does the same because its retailer is insolvent: owners of unused cards are told, once
  resume <product>                  sells it again
  reward <product> <kind> <percent> sets the reward of its buyers: discount or cashback, at most the issuer's discount
  rotate                            encrypts all cards with the current secret; may be repeated and interrupted

A product is named as the issuer names it. Your system account is recorded.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class GiftCardActionError extends Error {}

export interface GiftCardActionParts {
  db: Db;
  issuers: ReadonlyMap<string, CardIssuer>;
  by: string;
  /** Encrypt cards; the current key first. */
  keys: SecretKeys;
  /** Prints how far an action is. */
  report(line: string): void;
  now(): Date;
}

type Action = (parts: GiftCardActionParts, words: readonly string[]) => Promise<string[]>;

/** Each action with the number of words that it needs. */
const actions: Readonly<Record<string, { min: number; max: number; run: Action }>> = {
  list: { min: 0, max: 0, run: list },
  show: { min: 1, max: 1, run: show },
  resolve: { min: 2, max: 2, run: resolve },
  float: { min: 0, max: 3, run: float },
  sync: { min: 0, max: 1, run: sync },
  stop: { min: 2, max: 60, run: stop },
  insolvent: { min: 2, max: 60, run: stopInsolvent },
  resume: { min: 1, max: 1, run: resume },
  reward: { min: 3, max: 3, run: reward },
  rotate: { min: 0, max: 0, run: rotate },
};

/**
 * Runs one action of `npm run gift-cards` from its typed words. Returns the lines to print. @throws GiftCardActionError
 * that says what to do
 */
export async function runGiftCardAction(parts: GiftCardActionParts, [name = "", ...words]: readonly string[]) {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action || words.length < action.min || words.length > action.max) throw new GiftCardActionError(GIFT_CARD_USAGE);
  try {
    return await action.run(parts, words);
  } catch (error) {
    if (error instanceof IssuerUnavailableError) throw new GiftCardActionError(`${error.message} Try again later.`);
    throw error;
  }
}

async function list({ db }: GiftCardActionParts): Promise<string[]> {
  const lines = await listOpenLines(db, { max: 200 });
  if (lines.length === 0) return ["Every paid line is a card or a refund."];
  const open = await dueLines.countOpen(db);
  return [...lines.flatMap(describe), `${lines.length} shown; ${open} lines have a next step.`];
}

function describe(line: ListedLine): string[] {
  const { publicId, orderPublicId, product, state, reason, facePence, paidPence, lastError, nextStepAt } = line;
  const next = nextStepAt === null ? "" : `  next ${nextStepAt.toISOString()}`;
  return [
    `${publicId}  ${state}${reason === null ? "" : ` (${reason})`}  ${product}  ${formatPence(facePence)}, paid ${formatPence(paidPence)}  order ${orderPublicId}${next}`,
    ...(lastError === null ? [] : [`  ${lastError}`]),
  ];
}

async function show({ db }: GiftCardActionParts, [publicId = ""]: readonly string[]): Promise<string[]> {
  const lines = await findLines(db, { publicId });
  if (lines.length === 0) throw new GiftCardActionError(`There is no line or order ${publicId}.`);
  return lines.flatMap((line) => [
    ...describe(line),
    ...line.changes.map(
      ({ changedAt, state, cardState, reason, changedBy }) =>
        `  ${changedAt.toISOString()}  ${state}, card ${cardState}${reason === null ? "" : `, ${reason}`}  by ${changedBy}`,
    ),
  ]);
}

const DECISIONS: readonly Decision[] = ["issue", "refund", "refunded", "retry"];

async function resolve(parts: GiftCardActionParts, [publicId = "", word = ""]: readonly string[]) {
  const decision = DECISIONS.find((known) => known === word);
  if (!decision) throw new GiftCardActionError(`A line is resolved by ${DECISIONS.join(", ")}.`);
  const what = {
    permission: "gift-cards.change",
    action: `gift-card.${decision}`,
    subject: { type: "gift-card-line", id: publicId },
    changed: ({ outcome }: Resolved) => outcome === "resolved",
  } as const;
  const resolved = await recorded(parts, what, (joined, now) =>
    resolveLine(joined, { publicId, decision, by: parts.by, now }),
  );
  switch (resolved.outcome) {
    case "no-such-line":
      throw new GiftCardActionError(`There is no line ${publicId}. "list" shows the open ones.`);
    case "not-now":
      throw new GiftCardActionError(`Nothing was done: the line is ${resolved.state}. ${resolved.why}`);
    case "changed-meanwhile":
      throw new GiftCardActionError("Nothing was done: the line has just changed. Look at it again.");
    case "resolved":
      return [`Line ${publicId} is ${resolved.state}; the worker goes on from there.`];
  }
}

async function float(parts: GiftCardActionParts, [issuer, pounds, reference]: readonly string[]): Promise<string[]> {
  const { db, issuers } = parts;
  if (issuer !== undefined) {
    if (!issuers.has(issuer)) throw unknownIssuer(parts);
    const amountPence = parsePounds(pounds ?? "");
    if (amountPence === null || amountPence <= 0 || reference === undefined || !/^[\w.-]{1,100}$/.test(reference))
      throw new GiftCardActionError("Give the amount in pounds, and the bank's reference of the payment.");
    try {
      const what = {
        permission: "gift-cards.change",
        action: "float.book",
        subject: { type: "float-payment", id: `issuer_float:${issuer}:${reference}` },
      } as const;
      const isNew = await recorded(parts, what, (joined, now) =>
        bookFloatPayment(joined, { issuer, amountPence, reference, now }),
      );
      return [isNew ? `${formatPence(amountPence)} booked.` : "This reference was booked before; nothing was done."];
    } catch (error) {
      if (!(error instanceof TransferConflictError)) throw error;
      throw new GiftCardActionError("This reference was booked before with another amount.");
    }
  }
  const lines: string[] = [];
  for (const one of issuers.values()) lines.push(`${one.slug}: ${formatPence(await one.float())}`);
  return [...lines, `In the books: ${formatPence(await bookedFloat(db))}`];
}

async function sync(parts: GiftCardActionParts, [slug]: readonly string[]): Promise<string[]> {
  const { db, issuers, now } = parts;
  if (slug !== undefined && !issuers.has(slug)) throw unknownIssuer(parts);
  const lines: string[] = [];
  for (const issuer of issuers.values()) {
    if (slug !== undefined && issuer.slug !== slug) continue;
    const { products, added, withdrawn } = await syncCatalogue(db, issuer, { now: now() });
    lines.push(`${issuer.slug}: ${products} products, ${added} new, ${withdrawn} withdrawn`);
  }
  return lines;
}

function stop(parts: GiftCardActionParts, words: readonly string[]): Promise<string[]> {
  return stopSale(parts, words, { isInsolvent: false });
}

function stopInsolvent(parts: GiftCardActionParts, words: readonly string[]): Promise<string[]> {
  return stopSale(parts, words, { isInsolvent: true });
}

/**
 * Changes every product with this issuer's id. Writes one log entry for each, on behalf of whoever runs the command. The acts are
 * nested, so one transaction holds the change and all entries.
 */
async function changeProducts<Result>(
  { db, by, now }: GiftCardActionParts,
  {
    verb,
    why = null,
    ...named
  }: { verb: VerbOf<"gift-card-product">; issuerProductId: string; minDiscountBp?: number; why?: string | null },
  change: (joined: Db, at: Date) => Promise<Result>,
  changed: (result: NoInfer<Result>) => boolean,
): Promise<Result> {
  const at = now();
  const actOn = (id: string, work: (joined: Db) => Promise<Result>) => (joined: Db) =>
    recorded<Result>(
      { db: joined, by, now: () => at },
      {
        permission: "gift-cards.change",
        action: `gift-card-product.${verb}`,
        subject: { type: "gift-card-product", id },
        why,
        changed,
      },
      work,
    );
  // Without a product the change says so itself, and changes nothing.
  return (await findProductIds(db, named)).reduceRight(
    (work, id) => actOn(id, work),
    (joined: Db) => change(joined, at),
  )(db);
}

async function stopSale(
  parts: GiftCardActionParts,
  [issuerProductId = "", ...why]: readonly string[],
  { isInsolvent }: { isInsolvent: boolean },
) {
  const because = why.join(" ");
  if (because.length < 3 || because.length > 500) throw new GiftCardActionError("Say why, in 3 to 500 characters.");
  const stopped = await changeProducts(
    parts,
    { verb: isInsolvent ? "insolvent" : "stop", issuerProductId, why: because },
    (joined, now) => stopProduct(joined, { issuerProductId, because, isInsolvent, now }),
    (outcome) => outcome === "done",
  );
  if (stopped === "unknown") throw unknownProduct(issuerProductId);
  return [
    `${issuerProductId} is not sold any more. Paid lines of it that are not issued are refunded.`,
    ...(isInsolvent ? ["The owners of unused cards are written to, each once. They read your words."] : []),
  ];
}

async function resume(parts: GiftCardActionParts, [issuerProductId = ""]: readonly string[]) {
  const resumed = await changeProducts(
    parts,
    { verb: "resume", issuerProductId },
    (joined, now) => stopProduct(joined, { issuerProductId, because: null, now }),
    (outcome) => outcome === "done",
  );
  if (resumed === "unknown") throw unknownProduct(issuerProductId);
  return [`${issuerProductId} is sold again.`];
}

async function reward(parts: GiftCardActionParts, [issuerProductId = "", kind = "", percent = ""]: readonly string[]) {
  const basisPoints = parsePounds(percent);
  if ((kind !== "discount" && kind !== "cashback") || basisPoints === null || basisPoints < 0)
    throw new GiftCardActionError("Give discount or cashback, and per cent, for example 4.5.");
  const { outcome } = await changeProducts(
    parts,
    { verb: "reward", issuerProductId, minDiscountBp: basisPoints },
    (joined) => setReward(joined, { issuerProductId, kind, basisPoints }),
    (done) => done.outcome !== "refused",
  );
  if (outcome === "refused")
    throw new GiftCardActionError(
      `There is no product ${issuerProductId}, or the issuer's discount is smaller than ${percent} %.`,
    );
  return [`Buyers of ${issuerProductId} get ${percent} % as ${kind}.`];
}

const MAX_NAMED = 20;

async function rotate({ db, keys, report }: GiftCardActionParts): Promise<string[]> {
  const { current, left, unreadable } = await rotateCards(db, {
    keys,
    onBatch: ({ rotated, of }) => report(`Encrypted again: ${rotated} of ${of}.`),
  });
  const done = `${current} cards are encrypted with the current key, ${cardKeyId(keys)}.`;
  if (unreadable.size > 0) {
    const named = [...unreadable].slice(0, MAX_NAMED).map(([line, why]) => `  ${line}  ${why}`);
    const more = unreadable.size > MAX_NAMED ? [`  and ${unreadable.size - MAX_NAMED} more`] : [];
    throw new GiftCardActionError(
      [done, `${unreadable.size} cards can't be read, and are unchanged. Drop no old secret:`, ...named, ...more].join(
        "\n",
      ),
    );
  }
  if (left > 0) return [done, `${left} cards of earlier keys were in use: run this again. Drop no old secret yet.`];
  return [
    done,
    "No card needs an old secret any more, once every process runs with the current one. Other data may:",
    "docs/operations/secrets.md says what, before you shorten FARTHING_OLD_SECRETS. Keep old secrets beside old backups.",
  ];
}

function unknownIssuer({ issuers }: GiftCardActionParts): GiftCardActionError {
  return new GiftCardActionError(
    `The issuers are: ${[...issuers.keys()].join(", ") || "none; set one up (docs/configuration.md)"}.`,
  );
}

function unknownProduct(issuerProductId: string): GiftCardActionError {
  return new GiftCardActionError(`There is no product ${issuerProductId}.`);
}
