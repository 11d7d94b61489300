import { isUtf8 } from "node:buffer";
import { isMultipart } from "../attachments/upload-paths.ts";

/**
 * The one place where all that strangers send becomes text (product.md S2): path and query (`isReadableAddress`), form fields and JSON
 * (`readableBody`). Text is UTF-8 without NUL characters and lone surrogates: PostgreSQL stores neither, encodeURIComponent() throws on the latter,
 * and no keyboard makes them. What is not is refused with 400 before any route, loader or statement meets it. Headers are not looked at: Node's
 * parser lets no NUL through, and every reader of a cookie takes only what it has written itself. Files are read by uploads/receive-multipart.ts as
 * they come, with the same rule for the fields beside them.
 */
export function isReadableAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isReadableEncoding(url.pathname, { isStrict: true }) && isReadableEncoding(url.search);
}

/**
 * The request, to be used from here on instead of the one that came, or null where its body is no text. A body is looked into where its type says that
 * somebody will read it; what nobody takes, and uploads, are left alone. `request` has a body of bounded size (limitBody).
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

/** Whether text can be stored and encoded: no NUL, no half of a surrogate pair. */
export function isReadableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

type Reader = (bytes: Uint8Array<ArrayBuffer>, type: string) => boolean | Promise<boolean>;

/** How a body of this type is checked; null where no route of ours reads it as text. */
function readerOf(type: string | null): Reader | null {
  if (type === null) return null;
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return isReadableForm;
  if (/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(type)) return isReadableJson;
  return isMultipart(type) ? isReadableMultipart : null;
}

/**
 * Whether percent-encoded text stands for UTF-8 without NUL. `isStrict`: every % begins an escape, as it has to in a path; in forms browsers
 * and people write "50%", which means what it says.
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

/** Fields may hold JSON themselves (a passkey's answer): what is written in it as an escape is a character for whoever parses it. */
function isReadableForm(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes) || bytes.includes(0)) return false;
  const text = Buffer.from(bytes).toString();
  if (!isReadableEncoding(Buffer.from(bytes).toString("latin1"))) return false;
  if (!/(%5c|\\)u(0000|d[89a-f])/i.test(text)) return true;
  return [...new URLSearchParams(text).values()].every((value) => !/^\s*[[{]/.test(value) || isReadableJsonText(value));
}

function isReadableJson(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && isReadableJsonText(Buffer.from(bytes).toString());
}

/** True for what is no JSON: the route says so in its own words. */
function isReadableJsonText(text: string): boolean {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return true;
  }
  // Not by recursion: brackets nest as deep as a body is long.
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

/** A small form of text fields, as mail programs post it. */
async function isReadableMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<boolean> {
  if (!isUtf8(bytes) || bytes.includes(0)) return false;
  return new Response(bytes, { headers: { "content-type": type } }).formData().then(
    () => true,
    () => false, // no boundary, or none where it should be
  );
}
