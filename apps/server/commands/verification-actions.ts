import { commandLine } from "../command-line.ts";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openAttachmentOfRequest } from "@farthing/core/attachments/store.server.ts";
import {
  decideRequest,
  type Decision,
  type DecisionResult,
} from "@farthing/core/verification-requests/decide-request.server.ts";
import {
  findRequestForOperator,
  listOpenRequests,
  type RequestForOperator,
} from "@farthing/core/verification-requests/queries.server.ts";
import { isReasonCode, rejectionReasons } from "@farthing/core/verification-requests/reasons.ts";
import type { Db } from "@farthing/db/client.ts";
import { recorded } from "./recorded.ts";

const reasons = Object.entries(rejectionReasons).map(([code, { says }]) => `  ${code.padEnd(14)} ${says}`);

export const VERIFICATION_USAGE = `${commandLine("verifications <action>")}

  list                                       proofs of membership that wait for a decision, oldest first
  show <id> [--out <file>]                   shows a proof; --out saves its file to a path that must not exist yet
  accept <id>                                the member is verified for a year
  reject <id> --reason <code> [--note <text>]  the member is told why, what would pass, and the note

Your system account is recorded as who decided; --by <name> records another name.

Reasons:
${reasons.join("\n")}`;

/** An error that the person at the command line can fix; printed without a stack. */
export class VerificationActionError extends Error {}

export interface VerificationActionParts {
  db: Db;
  /** Current key of the attachments' encryption; `oldKeys` are earlier ones. */
  key: string;
  oldKeys?: readonly string[];
  /** The name recorded as having decided. */
  by: string;
  now(): Date;
}

/**
 * Runs one action of `npm run verifications` from its typed words. Returns the lines to print. @throws
 * VerificationActionError that says what to do.
 */
export async function runVerificationAction(
  parts: VerificationActionParts,
  typed: readonly string[],
): Promise<string[]> {
  const { words, options } = readWords(typed);
  const [action = "", id = "", ...more] = words;
  if (more.length > 0) throw new VerificationActionError(VERIFICATION_USAGE);
  const by = options.get("by") ?? parts.by;
  if (action === "list" && id === "") return list(parts);
  if (id === "") throw new VerificationActionError(VERIFICATION_USAGE);
  if (action === "show") return show(parts, id, options.get("out"));
  if (action === "accept") return decide({ ...parts, by }, id, { accept: true });
  if (action === "reject")
    return decide({ ...parts, by }, id, rejection(options.get("reason"), options.get("note") ?? null));
  throw new VerificationActionError(VERIFICATION_USAGE);
}

const knownOptions = new Set(["out", "reason", "note", "by"]);

function readWords(typed: readonly string[]): { words: string[]; options: Map<string, string> } {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? "";
    if (!word.startsWith("--")) {
      words.push(word);
      continue;
    }
    const name = word.slice(2);
    const value = typed[++at];
    if (!knownOptions.has(name) || value === undefined || value === "")
      throw new VerificationActionError(VERIFICATION_USAGE);
    options.set(name, value);
  }
  return { words, options };
}

function rejection(reason: string | undefined, note: string | null): Decision {
  if (reason === undefined || !isReasonCode(reason))
    throw new VerificationActionError(`Give a reason with --reason:\n${reasons.join("\n")}`);
  if (reason === "other" && note === null)
    throw new VerificationActionError('"other" explains nothing by itself: add --note with what the member should do.');
  if (note !== null && note.length > 500) throw new VerificationActionError("A note has at most 500 characters.");
  return { accept: false, reason, note };
}

async function list({ db }: VerificationActionParts): Promise<string[]> {
  const open = await listOpenRequests(db);
  if (open.length === 0) return ["Nothing waits for a decision."];
  return open.map(
    ({ publicId, brand, submittedAt, isRenewal, proof, member }) =>
      `${publicId}  ${moment(submittedAt)}  ${brand}  ${member.name}  ${proof ?? "a document"}${isRenewal ? "  (renewal)" : ""}`,
  );
}

async function show(
  { db, key, oldKeys = [] }: VerificationActionParts,
  publicId: string,
  out?: string,
): Promise<string[]> {
  const request = await findRequestForOperator(db, { publicId });
  if (!request) throw unknown(publicId);
  const lines = describe(request);
  if (out === undefined) return lines;
  const file = await openAttachmentOfRequest(db, { requestId: request.id, key, oldKeys });
  if (!file) throw new VerificationActionError("There is no file: it was deleted, or the proof was a work e-mail.");
  try {
    // "wx" refuses to write to an existing file, or through a link that somebody planted.
    await pipeline(Readable.from(file.parts()), createWriteStream(out, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new VerificationActionError(`${out} already exists. Choose another name.`);
  }
  return [...lines, `Saved to ${out}. Delete it when you have decided; the stored copy is deleted automatically.`];
}

function describe(request: RequestForOperator): string[] {
  const { member, file } = request;
  return [
    `${request.publicId}  ${request.state}${request.isRenewal ? "  (renewal)" : ""}`,
    `  brand      ${request.brand}`,
    `  member     ${member.name}, ${member.email}, no. ${member.number}`,
    `  born       ${member.dateOfBirth ?? "not given"}`,
    `  belongs    ${member.type ?? "no type"}, ${member.status ?? "no status"}`,
    `  proof      ${request.way === "work_email" ? "work e-mail" : (request.proof ?? "a document")}`,
    `  sent       ${moment(request.submittedAt)}`,
    file
      ? `  file       ${file.originalName} (${file.mediaType}, ${Math.ceil(file.size / 1024)} kB)`
      : "  file       none",
    ...(request.decidedAt
      ? [
          `  decided    ${moment(request.decidedAt)} by ${request.decidedBy}${request.reason ? `: ${request.reason}` : ""}${request.note ? `, “${request.note}”` : ""}`,
        ]
      : []),
  ];
}

async function decide(parts: VerificationActionParts, publicId: string, decision: Decision): Promise<string[]> {
  const { by } = parts;
  const what = {
    permission: "verifications.decide",
    action: decision.accept ? "verification.accept" : "verification.reject",
    subject: { type: "verification", id: publicId },
    why: decision.accept ? null : decision.reason,
    changed: ({ outcome }: DecisionResult) => outcome === "decided",
  } as const;
  const decided = await recorded(parts, what, (joined, now) => decideRequest(joined, { publicId, decision, by, now }));
  if (decided.outcome === "unknown") throw unknown(publicId);
  if (decided.outcome === "not-open")
    throw new VerificationActionError(`The proof is already ${decided.state}; "show ${publicId}" shows by whom.`);
  const told = "The member gets an e-mail; the file is deleted in 14 days.";
  return decided.validUntil
    ? [`Accepted by ${by}: verified until ${moment(decided.validUntil).slice(0, 10)}. ${told}`]
    : [`Rejected by ${by}. ${told}`];
}

function unknown(publicId: string): VerificationActionError {
  return new VerificationActionError(`There is no proof ${publicId}. "list" shows the waiting ones.`);
}

function moment(date: Date): string {
  return date.toISOString().slice(0, 16).replace("T", " ");
}
