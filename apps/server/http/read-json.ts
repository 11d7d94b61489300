import type { z } from "zod";
import { fieldErrors, sayWhatToDo } from "./field-errors.ts";
import type { Problem } from "./problem.ts";

export type ReadJson<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/**
 * Returns the JSON body of a request, checked by `schema`, or the problem to answer with (S2, Z5): 415 for another
 * type, 413 above `maxBytes`, 400 if it is not JSON, 422 with one entry per wrong field.
 */
export async function readJson<T>(request: Request, schema: z.ZodType<T>, maxBytes: number): Promise<ReadJson<T>> {
  return isJson(request) ? checkJson(await request.arrayBuffer(), schema, maxBytes) : refused(notJson);
}

/** Like `readJson`; an empty body, of whatever type, is read as {}. */
export async function readOptionalJson<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes: number,
): Promise<ReadJson<T>> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength === 0) return { ok: true, value: schema.parse({}) };
  return isJson(request) ? checkJson(bytes, schema, maxBytes) : refused(notJson);
}

function isJson({ headers }: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

function checkJson<T>(bytes: ArrayBuffer, schema: z.ZodType<T>, maxBytes: number): ReadJson<T> {
  if (bytes.byteLength > maxBytes)
    return refused({ status: 413, title: "Too large", detail: `At most ${maxBytes / 1024} kB can be sent here.` });
  const body = parse(bytes);
  if (body === undefined) return refused(badJson);
  const parsed = schema.safeParse(body, { error: sayWhatToDo });
  if (parsed.success) return { ok: true, value: parsed.data };
  return refused({
    status: 422,
    title: "Not as described",
    detail: "Correct the fields below and send it again.",
    errors: fieldErrors(parsed.error),
  });
}

function refused(problem: Problem): { ok: false; problem: Problem } {
  return { ok: false, problem };
}

/** Returns undefined, which JSON can't express, if the bytes are not JSON in UTF-8. */
function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const notJson: Problem = { status: 415, title: "Not JSON", detail: "Send JSON, with Content-Type: application/json." };
const badJson: Problem = {
  status: 400,
  title: "Bad JSON",
  detail: "The body is not JSON. Send an object, encoded as UTF-8.",
};
