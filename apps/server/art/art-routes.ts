import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { Hono } from "hono";
import { LRUCache } from "lru-cache";
import type { AppEnv } from "../app-env.ts";
import { chooseEncoding } from "../http/choose-encoding.ts";
import { isUnchanged } from "../http/is-unchanged.ts";
import { weakEtag } from "../http/weak-etag.ts";

export type ArtKind = "retailers" | "categories";

export interface ArtOptions {
  /** Name of what a slug stands for; null where there is no such thing. */
  findName(kind: ArtKind, slug: string): Promise<string | null>;
  /** Pure: the same slug and name always give the same drawing. */
  draw(kind: ArtKind, subject: { slug: string; name: string }): string;
}

interface Drawing {
  svg: Buffer<ArrayBuffer>;
  br: Buffer<ArrayBuffer>;
  etag: string;
}

/** Drawings kept; each is a few kilobytes. */
const maxKept = 2_000;
const days30 = 30 * 24 * 60 * 60;

/**
 * /art/retailers/:slug.svg and /art/categories/:slug.svg: drawn when first asked for, then kept. They belong to the catalogue all brands share,
 * so they need neither brand nor session. Opened by itself, a drawing may run and load nothing.
 */
export function artRoutes({ findName, draw }: ArtOptions): Hono<AppEnv> {
  const kept = new LRUCache<string, Promise<Drawing | null>>({ max: maxKept });

  function drawingOf(kind: ArtKind, slug: string): Promise<Drawing | null> {
    const key = `${kind}/${slug}`;
    const known = kept.get(key);
    if (known) return known;
    const made = make(kind, slug);
    kept.set(key, made);
    // What does not exist may come to, and a failure is not an answer.
    made.then(
      (drawing) => drawing ?? kept.delete(key),
      () => kept.delete(key),
    );
    return made;
  }

  async function make(kind: ArtKind, slug: string): Promise<Drawing | null> {
    const name = await findName(kind, slug);
    if (name === null) return null;
    const svg = Buffer.from(draw(kind, { slug, name }));
    const br = Buffer.from(await promisify(brotliCompress)(svg, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }));
    return { svg, br, etag: weakEtag(svg) };
  }

  return new Hono<AppEnv>().get("/art/:kind{retailers|categories}/:file{[a-z0-9-]{1,100}\\.svg}", async (context) => {
    const drawing = await drawingOf(
      context.req.param("kind") as ArtKind,
      context.req.param("file").slice(0, -".svg".length),
    );
    if (!drawing) return context.notFound();
    const headers: Record<string, string> = {
      "Content-Type": "image/svg+xml",
      "Cache-Control": `public, max-age=${days30}`,
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "Cross-Origin-Resource-Policy": "same-origin",
      ETag: drawing.etag,
      Vary: "Accept-Encoding",
    };
    if (isUnchanged(context.req.header("if-none-match"), drawing.etag))
      return new Response(null, { status: 304, headers });
    const isBr = chooseEncoding(context.req.header("accept-encoding")) === "br";
    if (isBr) headers["Content-Encoding"] = "br";
    return new Response(isBr ? drawing.br : drawing.svg, { headers });
  });
}
