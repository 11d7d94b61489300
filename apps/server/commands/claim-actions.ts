import { commandLine } from "../command-line.ts";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openAttachmentOfClaim } from "@farthing/core/attachments/store.server.ts";
import { findClaimRule, setClaimRule, type ClaimRuleChange } from "@farthing/core/claims/claim-rules.server.ts";
import { claimRuleSchema } from "@farthing/core/claims/rule-schema.ts";
import type { ClaimRule } from "@farthing/core/claims/rules.ts";
import {
  decideClaim,
  findClaimForOperator,
  listClaimsForOperators,
  makePack,
  packFile,
  retryClaim,
  type ClaimForOperator,
  type Decided,
  type OperatorDecision,
} from "@farthing/core/claims/operators.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { DECLINE_REASONS, isDeclineReason } from "@farthing/core/networks/decline-reason.ts";
import type { Db } from "@farthing/db/client.ts";
import { whyNot, type FilesFolder } from "./files-folder.ts";
import { recorded } from "./recorded.ts";

export const CLAIM_USAGE = `${commandLine("claims <action>")}

  list                                       claims that are under way, the oldest first
  show <claim> [--file <id> --out <path>]    shows a claim; --out saves one of its files to a path that must not exist yet
  pack <network>                             takes what waits for a person at a network into a CSV file, and marks it as filed
  file <pack>                                writes the file of a pack again; files nothing twice
  accept <claim> [--note <text>]             the retailer agrees; the money comes with the network's report
  decline <claim> --reason <code> [--note <text>]  the retailer declines; the member reads the reason's sentence and the note
  ask <claim> --note <text>                  the retailer wants more; the member reads the note
  retry <claim>                              lets the worker try a claim again that it gave up
  rule <retailer> <from> <to> [--evidence yes]     the days after a visit between which claims are filed; "usual" as <from> is what
                                             95 of 100 purchases take
  default-rule <retailer>                    the default holds there again: from what is usual to day 90, without evidence

Packs are written to the folder of PAYOUTS_DIR, or the current one, for your eyes only. Your system account is recorded as who
decided; --by <name> records another name.
Reasons: ${Object.keys(DECLINE_REASONS).join(", ")}.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class ClaimActionError extends Error {}

export interface ClaimActionParts extends FilesFolder {
  db: Db;
  /** Current key of the attachments' encryption; `oldKeys` are earlier ones. */
  key: string;
  oldKeys?: readonly string[];
  by: string;
  now(): Date;
}

type Options = ReadonlyMap<string, string>;
type Action = (parts: ClaimActionParts, words: readonly string[], options: Options) => Promise<string[]>;

/** Each action with the number of words that it needs, and the options that it knows. */
const actions: Readonly<Record<string, { words: number; options: readonly string[]; run: Action }>> = {
  list: { words: 0, options: [], run: list },
  show: { words: 1, options: ["file", "out"], run: show },
  pack: { words: 1, options: [], run: pack },
  file: { words: 1, options: [], run: file },
  accept: { words: 1, options: ["note"], run: accept },
  decline: { words: 1, options: ["reason", "note"], run: decline },
  ask: { words: 1, options: ["note"], run: ask },
  retry: { words: 1, options: [], run: retry },
  rule: { words: 3, options: ["evidence"], run: rule },
  "default-rule": { words: 1, options: [], run: defaultRule },
};

/**
 * Runs one action of `npm run claims` from its typed words. Returns the lines to print. @throws ClaimActionError that says
 * what to do
 */
export async function runClaimAction(parts: ClaimActionParts, typed: readonly string[]): Promise<string[]> {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? "";
    if (!word.startsWith("--")) words.push(word);
    else {
      const value = typed[++at];
      if (value === undefined || value === "") throw new ClaimActionError(CLAIM_USAGE);
      options.set(word.slice(2), value);
    }
  }
  const [name = "", ...rest] = words;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  const isKnown = [...options.keys()].every((option) => option === "by" || action?.options.includes(option));
  if (!action || rest.length !== action.words || !isKnown) throw new ClaimActionError(CLAIM_USAGE);
  return action.run({ ...parts, by: options.get("by") ?? parts.by }, rest, options);
}

async function list({ db }: ClaimActionParts): Promise<string[]> {
  const claims = await listClaimsForOperators(db);
  if (claims.length === 0) return ["No claim is under way."];
  return claims.flatMap((claim) => [lineOf(claim), ...notesOf(claim).map((note) => `  ${note}`)]);
}

function lineOf({ publicId, state, network, retailer, orderReference, salePence, madeAt }: ClaimForOperator): string {
  return `${publicId}  ${state}  ${network}  ${retailer}  order ${orderReference}  ${formatPence(salePence)}  made ${day(madeAt)}`;
}

function notesOf({ givenUpAt, lastError, awaitsPack, packNumber, state, network, rivals }: ClaimForOperator): string[] {
  return [
    ...(givenUpAt ? [`given up: ${lastError ?? "no error was recorded"}. "retry" tries again`] : []),
    ...(awaitsPack && state === "open"
      ? [`waits for "pack ${network}"${lastError ? `, because: ${lastError}` : ""}`]
      : []),
    ...(packNumber !== null && state === "filed" ? [`in pack ${packNumber}: record the answer by hand`] : []),
    ...(rivals > 0
      ? [`${rivals} other claims name the same order: look at the evidence before anything is filed`]
      : []),
  ];
}

async function show(parts: ClaimActionParts, [publicId = ""]: readonly string[], options: Options) {
  const { db, key, oldKeys = [] } = parts;
  const claim = await findClaimForOperator(db, { publicId });
  if (!claim) throw unknown(publicId);
  const [wanted, out] = [options.get("file"), options.get("out")];
  if ((wanted === undefined) !== (out === undefined)) throw new ClaimActionError("Give both --file and --out.");
  const lines = [
    lineOf(claim),
    ...notesOf(claim).map((note) => `  ${note}`),
    `  brand      ${claim.brand}, member ${claim.memberNumber}`,
    `  says       ${claim.kind}, bought on ${claim.purchasedOn}`,
    `  visit      ${claim.clickNumber}, ${claim.clickedAt.toISOString().slice(0, 16).replace("T", " ")}`,
    ...(claim.appeal ? [`  words      ${claim.appeal}`] : []),
    ...(claim.asked ? [`  asked      ${claim.asked}`] : []),
    ...(claim.reasonCode ? [`  reason     ${claim.reasonCode}`] : []),
    ...(claim.answer ? [`  answer     ${claim.answer}`] : []),
    ...claim.files.map(
      ({ publicId: id, originalName, mediaType, size }) =>
        `  file       ${id}  ${originalName} (${mediaType}, ${Math.ceil(size / 1024)} kB)`,
    ),
    ...claim.changes.map(
      ({ state, madeBy, note, changedAt }) =>
        `  ${day(changedAt)} ${state} by ${madeBy}${note === null ? "" : `: ${note}`}`,
    ),
  ];
  if (wanted === undefined || out === undefined) return lines;
  const opened = await openAttachmentOfClaim(db, { claimId: claim.id, publicId: wanted, key, oldKeys });
  if (!opened) throw new ClaimActionError(`The claim has no file ${wanted}, or it was deleted.`);
  const looked = {
    permission: "claims.see",
    action: "claim.look",
    subject: { type: "claim", id: publicId },
  } as const;
  await recorded(parts, looked, async () => true);
  try {
    // "wx" refuses to write to an existing file, or through a link that somebody planted.
    await pipeline(Readable.from(opened.parts()), createWriteStream(out, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new ClaimActionError(`${out} already exists. Choose another name.`);
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new ClaimActionError(
      `The file could not be written to ${out} (${whyNot(error)}). Give --out in a folder that this account can write to, on a disk with room.`,
    );
  }
  return [...lines, `Saved to ${out}. Delete it when you have decided; the stored copy is deleted automatically.`];
}

async function pack(parts: ClaimActionParts, [network = ""]: readonly string[]): Promise<string[]> {
  await needFolder(parts);
  const made = await recorded<Awaited<ReturnType<typeof makePack>>>(
    parts,
    {
      permission: "claims.decide",
      action: "claim.pack",
      subject: { type: "claim-pack", idOf: (of) => String(of?.packNumber) },
      changed: (of) => of !== null && of.packNumber !== null,
    },
    (joined, now) => makePack(joined, { network, by: parts.by, now }),
  );
  if (!made) throw new ClaimActionError(`There is no network ${network}.`);
  const leftOut = made.leftOut.map((id) => `  left out: ${id}. Another member claims the same order; "show ${id}".`);
  if (made.packNumber === null) return [`Nothing waits for a pack at ${network}.`, ...leftOut];
  const done = `Pack ${made.packNumber}: ${made.claims === 1 ? "1 claim" : `${made.claims} claims`}.`;
  const next = 'Send it to the network. When it answers: "accept", "decline" or "ask".';
  try {
    return [done, ...(await writePack(parts, made.packNumber)), ...leftOut, next];
  } catch (error) {
    // The claims are filed, whatever happened to the file.
    const failed = error instanceof ClaimActionError ? error.message : `Its file is missing: ${whyNot(error)}.`;
    const again = `When that is mended, this writes it: ${commandLine(`claims file ${made.packNumber}`)}`;
    throw new ClaimActionError([done, failed, again, ...leftOut, next].join("\n"), { cause: error });
  }
}

async function file(parts: ClaimActionParts, [number = ""]: readonly string[]): Promise<string[]> {
  if (!/^\d{1,9}$/.test(number)) throw new ClaimActionError(`There is no pack ${number}.`);
  await needFolder(parts);
  return writePack(parts, Number(number));
}

async function needFolder({ folderProblem }: ClaimActionParts): Promise<void> {
  const problem = await folderProblem();
  if (problem !== null) throw new ClaimActionError(`Nothing was done: ${problem}`);
}

async function writePack(parts: ClaimActionParts, packNumber: number): Promise<string[]> {
  const taken = {
    permission: "claims.see",
    action: "claim-pack.download",
    subject: { type: "claim-pack", id: String(packNumber) },
  } as const;
  const made = await recorded(parts, taken, (joined) => packFile(joined, { packNumber }));
  if (!made) throw new ClaimActionError(`There is no pack ${packNumber}.`);
  const path = await parts.write(made.name, made.text).catch((error: unknown) => {
    throw new ClaimActionError(`${made.name} could not be written (${whyNot(error)}).`);
  });
  return [`  written: ${path}`];
}

function accept(parts: ClaimActionParts, [publicId = ""]: readonly string[], options: Options) {
  return decide(parts, publicId, { state: "accepted", note: noteOf(options) });
}

async function decline(parts: ClaimActionParts, [publicId = ""]: readonly string[], options: Options) {
  const [reason, note] = [options.get("reason"), noteOf(options)];
  if (reason === undefined || !isDeclineReason(reason))
    throw new ClaimActionError(`Give a reason with --reason: ${Object.keys(DECLINE_REASONS).join(", ")}.`);
  if (reason === "other" && note === null)
    throw new ClaimActionError('"other" explains nothing by itself: add --note with what the retailer wrote.');
  return decide(parts, publicId, { state: "declined", reason, note });
}

async function ask(parts: ClaimActionParts, [publicId = ""]: readonly string[], options: Options) {
  const asked = noteOf(options);
  if (asked === null) throw new ClaimActionError("Say with --note what the member should add.");
  return decide(parts, publicId, { state: "incomplete", asked });
}

function noteOf(options: Options): string | null {
  const note = options.get("note")?.trim() || null;
  if (note !== null && note.length > 500) throw new ClaimActionError("A note has at most 500 characters.");
  return note;
}

const decidedWords: Record<OperatorDecision["state"], string> = {
  accepted: "The member knows. The money comes with the network's report.",
  declined: "The member gets an e-mail with the reason, and can appeal where that is possible.",
  incomplete: "The member gets an e-mail with what is missing.",
};

const decidedActions = { accepted: "claim.accept", declined: "claim.decline", incomplete: "claim.ask" } as const;

async function decide(parts: ClaimActionParts, publicId: string, decision: OperatorDecision): Promise<string[]> {
  const { by } = parts;
  const decided = await recorded<Decided>(
    parts,
    {
      permission: "claims.decide",
      action: decidedActions[decision.state],
      subject: { type: "claim", id: publicId },
      changed: ({ outcome }) => outcome === "decided",
    },
    (joined, now) => decideClaim(joined, { publicId, decision, by, now }),
  );
  if (decided.outcome === "unknown") throw unknown(publicId);
  if (decided.outcome === "with-network")
    throw new ClaimActionError(
      "Nothing was done: the network has the claim and answers by its API, which ends a question of ours. What it asks for, the member is asked by itself.",
    );
  if (decided.outcome === "not-now")
    throw new ClaimActionError(
      `Nothing was done: the claim is ${decided.state}. "show ${publicId}" shows its history.`,
    );
  return [`Recorded by ${by}. ${decidedWords[decision.state]}`];
}

async function retry(parts: ClaimActionParts, [publicId = ""]: readonly string[]): Promise<string[]> {
  const what = {
    permission: "claims.decide",
    action: "claim.retry",
    subject: { type: "claim", id: publicId },
  } as const;
  if (!(await recorded(parts, what, (joined, now) => retryClaim(joined, { publicId, now }))))
    throw new ClaimActionError(`The worker has not given up a claim ${publicId}. "list" shows those that it has.`);
  return ["The worker tries it again."];
}

async function rule(
  parts: ClaimActionParts,
  [slug = "", from = "", to = ""]: readonly string[],
  options: Options,
): Promise<string[]> {
  const typed = claimRuleSchema.safeParse({ from, to, evidence: options.get("evidence") ?? "no" });
  if (!typed.success) throw new ClaimActionError(typed.error.issues.map(({ message }) => message).join("\n"));
  return setRule(parts, slug, typed.data);
}

function defaultRule(parts: ClaimActionParts, [slug = ""]: readonly string[]): Promise<string[]> {
  return setRule(parts, slug, null);
}

async function setRule(parts: ClaimActionParts, address: string, rule: ClaimRule | null): Promise<string[]> {
  const stored = await findClaimRule(parts.db, { slug: address });
  if (!stored) throw new ClaimActionError(`There is no retailer ${address}.`);
  const { slug } = stored.retailer;
  const what = {
    permission: "catalogue.change",
    action: "retailer.claim-rule",
    subject: { type: "retailer", id: slug },
    changed: ({ outcome }: ClaimRuleChange) => outcome === "changed",
  } as const;
  const { outcome } = await recorded(parts, what, (joined) => setClaimRule(joined, { slug, seen: null, rule }));
  if (outcome === "unchanged") return ["Nothing was changed: this rule holds already."];
  if (outcome !== "changed") throw new ClaimActionError("Somebody merged this retailer just now. Try again.");
  return ["Saved. Claims that are under way keep the rule that they were made under."];
}

function unknown(publicId: string): ClaimActionError {
  return new ClaimActionError(`There is no claim ${publicId}. "list" shows those under way.`);
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
