import { isUtf8 } from "node:buffer";
import { isMultipart } from "../attachments/upload-paths.ts";

/**
 * The one place where untrusted input becomes text (S2): path and query (`isReadableAddress`), form fields and JSON
 * (`readableBody`). Text is UTF-8 without NUL characters and lone surrogates: PostgreSQL stores neither,
 * encodeURIComponent() throws on the latter, and no keyboard produces them. Everything else is refused with 400 before
 * a route, loader or statement sees it. Headers are not checked: Node's parser rejects NUL, and readers of cookies
 * accept only values they wrote. attachments/receive-multipart.ts reads files as they stream, with the same rule for
 * the fields beside them.
 */
export function isReadableAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isReadableEncoding(url.pathname, { isStrict: true }) && isReadableEncoding(url.search);
}

/**
 * Returns the request to use from here on instead of `request`, or null if its body is not text. Only types that
 * a route reads as text are checked; other bodies and uploads pass unread. `request` must have a body of bounded
 * size (fast/limit-body.ts).
 */
export async function readableBody(request: Request): Promise<Request | null> {
  if (request.method === "GET" || request.method === "HEAD") return request;
  const type = request.headers.get("content-type");
  const isReadable = readerOf(type);
  if (isReadable === null) return request;
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (!(await isReadable(bytes, type ?? ""))) return null;
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: bytes });
}

/** Returns whether text can be stored and encoded: it has no NUL and no lone surrogate. */
export function isReadableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

type Reader = (bytes: Uint8Array<ArrayBuffer>, type: string) => boolean | Promise<boolean>;

/** Returns the check for a body of this type; null if no route reads it as text. */
function readerOf(type: string | null): Reader | null {
  if (type === null) return null;
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return isReadableForm;
  if (/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(type)) return isReadableJson;
  return isMultipart(type) ? isReadableMultipart : null;
}

/**
 * Returns whether percent-encoded text decodes to UTF-8 without NUL. `isStrict`: every % must start an escape, as in
 * a path; in forms people write "50%", which stays as it is.
 */
function isReadableEncoding(text: string, { isStrict = false } = {}): boolean {
  if (!text.includes("%")) return true;
  if (text.includes("%00")) return false;
  if (isStrict && /%(?![0-9a-f]{2})/i.test(text)) return false;
  if (!/%[89a-f]/i.test(text)) return true;
  return isUtf8(
    Buffer.from(
      text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => byte(hex)),
      "latin1",
    ),
  );
}

const byte = (hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

/**
 * A field may hold JSON (a passkey's answer), whose escapes become characters when it is parsed, so these are
 * checked too.
 */
function isReadableForm(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes) || bytes.includes(0)) return false;
  const text = Buffer.from(bytes).toString();
  if (!isReadableEncoding(Buffer.from(bytes).toString("latin1"))) return false;
  // Every character of an escape can be percent-encoded, so only its backslash is looked for before fields are decoded.
  return !/%5c|\\/i.test(text) || [...new URLSearchParams(text).values()].every(isReadableField);
}

/** Returns whether a field is not JSON, or is JSON that can be read. */
function isReadableField(value: string): boolean {
  return !/^\s*[[{]/.test(value) || isReadableJsonText(value);
}

function isReadableJson(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && isReadableJsonText(Buffer.from(bytes).toString());
}

/**
 * Returns whether JSON has nothing that isReadableText refuses, at any depth. True for text that is not JSON: the route refuses it in its own words.
 * A byte order mark does not count, because TextDecoder drops it before a route parses the text.
 */
export function isReadableJsonText(text: string): boolean {
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return true;
  }
  // Without recursion: brackets can nest as deep as the body is long.
  const waiting: unknown[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "string" && !isReadableText(value)) return false;
    if (typeof value === "object" && value !== null) {
      if (!Object.keys(value).every(isReadableText)) return false;
      for (const part of Object.values(value)) if (part !== null) waiting.push(part);
    }
  }
  return true;
}

/** A small form of text fields, as mail programs post for one-click unsubscribe. */
async function isReadableMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<boolean> {
  if (!isUtf8(bytes) || bytes.includes(0)) return false;
  return new Response(bytes, { headers: { "content-type": type } }).formData().then(
    (fields) => [...fields.values()].every((value) => typeof value !== "string" || isReadableField(value)),
    () => false, // the boundary is missing or misplaced
  );
}
