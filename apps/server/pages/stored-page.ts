import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { routePattern } from "../http/route-pattern.ts";
import { weakEtag } from "../http/weak-etag.ts";
import type { PageVariant, StoredPage } from "./page-store.ts";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Headers that a stored page sets itself or that belong to one connection: never copied from the rendered answer. */
export const notStored = new Set([
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "etag",
  "keep-alive",
  "set-cookie",
  "transfer-encoding",
  "vary",
  "x-request-id",
]);

export interface Rendered {
  key: string;
  origin: string;
  path: string;
  headers: Headers;
  body: Buffer;
  now: number;
  freshMs: number;
  staleMs: number;
}

/**
 * Returns the stored form of a rendered page: compressed once, with every header it is sent with. Browsers store it
 * but revalidate each time (`no-cache` and an ETag), so that a member who has just logged in does not see the
 * visitor's page.
 */
export async function storedPage({
  key,
  origin,
  path,
  headers,
  body,
  now,
  freshMs,
  staleMs,
}: Rendered): Promise<StoredPage> {
  const [gzipBody, brBody] = await Promise.all([
    compressGzip(body, { level: 6 }).then(compact),
    compressBrotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }).then(compact),
  ]);
  const etag = weakEtag(body);
  const shared = ["Cache-Control", "no-cache", "ETag", etag, "Vary", "Accept-Encoding, Cookie"];
  const own = [...headers].filter(([name]) => !notStored.has(name)).flat();
  const variant = (bytes: Buffer, encoding: string | null): PageVariant => ({
    body: bytes,
    headers: [
      ...own,
      ...shared,
      ...(encoding ? ["Content-Encoding", encoding] : []),
      "Content-Length",
      String(bytes.length),
      "X-Request-Id",
      "",
    ],
  });
  const variants = {
    identity: variant(compact(body), null),
    gzip: variant(gzipBody, "gzip"),
    br: variant(brBody, "br"),
  };
  const unchangedHeaders = [
    ...own.filter((_, index) => own[index - (index % 2)] !== "content-type"),
    ...shared,
    "X-Request-Id",
    "",
  ];
  return {
    key,
    origin,
    path,
    route: routePattern(path.split("?", 1)[0] ?? path),
    etag,
    variants,
    unchangedHeaders,
    freshUntil: now + freshMs,
    staleUntil: now + freshMs + staleMs,
    refreshing: false,
    bytes: bytesOf(variants, unchangedHeaders, [key, origin, path, etag]),
  };
}

/**
 * Copies bytes into memory of their own: zlib returns slices of blocks several times their size, which live as long as
 * the slice.
 */
function compact(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** Memory of the objects and lists around the texts. */
const FRAME_BYTES = 2048;

/**
 * Returns an upper bound of a page's memory: texts count two bytes a character in each list, although most take one
 * byte and are shared.
 */
function bytesOf(variants: StoredPage["variants"], unchangedHeaders: string[], texts: string[]): number {
  const all = Object.values(variants);
  const headers = [...all.flatMap((variant) => variant.headers), ...unchangedHeaders];
  const letters = [...headers, ...texts].reduce((sum, text) => sum + text.length, 0);
  return all.reduce((sum, { body }) => sum + body.length, 0) + 2 * letters + 8 * headers.length + FRAME_BYTES;
}

/** Sets the request id in stored headers. Returns the stored array itself: write it before the next call. */
export function withRequestId(headers: string[], requestId: string): string[] {
  headers[headers.length - 1] = requestId;
  return headers;
}
