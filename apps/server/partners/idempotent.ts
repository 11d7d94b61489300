import { createHash } from "node:crypto";
import type { ApiCaller } from "@farthing/core/partners/find-api-key.server.ts";
import { answerRequest, beginRequest, releaseRequest } from "@farthing/core/partners/requests.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { partnerProblems } from "./partner-problems.ts";

/** What a handler answers: JSON, or a problem. */
export type Answer = { status: number; body: object } | { problem: Problem };

export interface IdempotentRequest {
  db: Db;
  caller: Pick<ApiCaller, "partnerId" | "mode">;
  request: Request;
  /** The body as it was read. */
  value: unknown;
  isKeyRequired: boolean;
  now(): Date;
  /**
   * Runs once per key, or again where its process died: it has to be safe to repeat with the same key, or to be one
   * transaction. Its changes go through `db`.
   */
  run(key: string | null, db: Db): Promise<Answer>;
  /** What `run` changes and the answer that is kept are one transaction: both are there, or neither. */
  isOneTransaction?: boolean;
  /** Adds to the body what is not stored: secrets, made again for each answer. */
  complete?: (body: object) => object;
}

const WELL_FORMED = /^[A-Za-z0-9_.:-]{8,255}$/;

/**
 * Answers a request with an Idempotency-Key: the same key and body get the same answer, with `Idempotency-Replayed`; the
 * same key with another address or body is refused; of concurrent ones, one runs. Refusals of the moment (409, 429 and
 * 5xx) are not kept. Bodies are compared as they were understood, whatever their spacing.
 */
export async function idempotent({
  db,
  caller,
  request,
  value,
  now,
  ...handler
}: IdempotentRequest): Promise<Response> {
  const { run, complete = (body) => body, isKeyRequired, isOneTransaction = false } = handler;
  const given = request.headers.get("idempotency-key");
  if (given === null && isKeyRequired) return problemResponse(partnerProblems.noIdempotencyKey);
  // The header may be a quoted string, as the draft standard of the header says.
  const key = given === null ? null : given.replace(/^"(.*)"$/, "$1");
  if (key === null) return responseOf(await run(null, db), complete);
  if (!WELL_FORMED.test(key)) return problemResponse(partnerProblems.badIdempotencyKey);
  const content = JSON.stringify([request.method, new URL(request.url).pathname, inOrder(value)]);
  const hash = createHash("sha256").update(content).digest();
  const { partnerId, mode } = caller;
  const begun = await beginRequest(db, { partnerId, mode, key, hash, now: now() });
  if (begun.outcome === "another-request") return problemResponse(partnerProblems.keyOfAnotherRequest);
  if (begun.outcome === "running") return problemResponse(partnerProblems.requestRunning);
  if (begun.outcome === "answered") {
    const stored = JSON.parse(begun.body) as Answer;
    const response = responseOf(stored, complete);
    response.headers.set("Idempotency-Replayed", "true");
    return response;
  }
  const { lease } = begun;
  const runAndKeep = async (store: Db): Promise<Answer> => {
    const answer = await run(key, store);
    if (!isKept(answer)) return answer;
    const isMine = await answerRequest(store, lease, { status: statusOf(answer), body: JSON.stringify(answer) });
    if (!isMine && isOneTransaction) throw new Error("The request took so long that a repetition of it runs.");
    return answer;
  };
  let answer: Answer;
  try {
    answer = isOneTransaction ? await db.transaction().execute(runAndKeep) : await runAndKeep(db);
  } catch (error) {
    await releaseRequest(db, lease);
    throw error;
  }
  if (!isKept(answer)) await releaseRequest(db, lease);
  return responseOf(answer, complete);
}

function isKept(answer: Answer): boolean {
  const status = statusOf(answer);
  return status !== 409 && status !== 429 && status < 500;
}

function statusOf(answer: Answer): number {
  return "problem" in answer ? answer.problem.status : answer.status;
}

function responseOf(answer: Answer, complete: (body: object) => object): Response {
  if ("problem" in answer) return problemResponse(answer.problem);
  return Response.json(complete(answer.body), { status: answer.status, headers: { "Cache-Control": "no-store" } });
}

/** Returns the value with each object's members in one order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, member]) => [key, inOrder(member)]),
  );
}
