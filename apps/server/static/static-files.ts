import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { chooseEncoding, isUnchanged } from "../pages/stored-page.ts";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
const compressible = new Set([".css", ".html", ".js", ".json", ".map", ".svg", ".txt", ".webmanifest"]);

interface StaticFile {
  type: string;
  etag: string;
  identity: Buffer<ArrayBuffer>;
  gzip: Buffer<ArrayBuffer> | null;
  br: Buffer<ArrayBuffer> | null;
}

export type StaticFiles = (
  path: string,
  request: { method: string; acceptEncoding: string | undefined; ifNoneMatch: string | undefined },
) => Promise<Response | null>;

/**
 * Serves the files of a built folder from memory, compressed once. The list is made at start, so a path can only ever name a file of the
 * build. What lies below /assets/ has a hash in its name and is kept by browsers for good; other files are asked for again.
 */
export function staticFiles(folder: string): StaticFiles {
  const listed = new Map<string, string>();
  if (existsSync(folder)) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile() && !/\.(br|gz)$/.test(entry.name) && !entry.name.startsWith("."))
        listed.set(file.slice(folder.length).replaceAll("\\", "/"), file);
    }
  }
  const loaded = new Map<string, Promise<StaticFile>>();

  return async (path, { method, acceptEncoding, ifNoneMatch }) => {
    const file = listed.get(path);
    if (file === undefined || (method !== "GET" && method !== "HEAD")) return null;
    let loading = loaded.get(path);
    if (!loading) loaded.set(path, (loading = load(file)));
    const content = await loading;
    const headers: Record<string, string> = {
      "Content-Type": content.type,
      "Cache-Control": path.startsWith("/assets/")
        ? "public, max-age=31536000, immutable"
        : "public, max-age=300, must-revalidate",
      ETag: content.etag,
      ...(content.br ? { Vary: "Accept-Encoding" } : {}),
      "Cross-Origin-Resource-Policy": "same-origin",
    };
    if (isUnchanged(ifNoneMatch, content.etag)) return new Response(null, { status: 304, headers });
    const encoding = content.br ? chooseEncoding(acceptEncoding) : "identity";
    const body = content[encoding] ?? content.identity;
    if (body !== content.identity) headers["Content-Encoding"] = encoding;
    headers["Content-Length"] = String(body.length);
    return new Response(method === "HEAD" ? null : body, { headers });
  };
}

async function load(file: string): Promise<StaticFile> {
  const identity = Buffer.from(await readFile(file));
  const extension = extname(file);
  const type = types[extension] ?? "application/octet-stream";
  const etag = `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  if (!compressible.has(extension) || identity.length < 512) return { type, etag, identity, gzip: null, br: null };
  const [gzipped, br] = await Promise.all([
    prepared(`${file}.gz`) ?? promisify(gzip)(identity, { level: 9 }),
    prepared(`${file}.br`) ?? promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  ]);
  return { type, etag, identity, gzip: Buffer.from(gzipped), br: Buffer.from(br) };
}

/** The file as the build compressed it already, if it did. */
function prepared(file: string): Buffer | null {
  return existsSync(file) ? readFileSync(file) : null;
}
