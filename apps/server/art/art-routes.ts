import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { Hono } from "hono";
import { LRUCache } from "lru-cache";
import type { AppEnv } from "../app-env.ts";
import { chooseEncoding } from "../http/choose-encoding.ts";
import { isUnchanged } from "../http/is-unchanged.ts";
import { weakEtag } from "../http/weak-etag.ts";

export type ArtKind = "retailers" | "categories" | "gift-cards";

export interface ArtOptions {
  /** Returns the name behind a slug; null if there is none. */
  findName(kind: ArtKind, slug: string): Promise<string | null>;
  /** Pure: the same slug and name always result in the same drawing. */
  draw(kind: ArtKind, subject: { slug: string; name: string }): string;
}

interface Drawing {
  svg: Buffer<ArrayBuffer>;
  br: Buffer<ArrayBuffer>;
  etag: string;
}

/** Maximum number of cached drawings; each is a few kilobytes. */
const MAX_CACHED = 2_000;
const THIRTY_DAYS = 30 * 24 * 60 * 60;

/**
 * /art/retailers/:slug.svg, /art/categories/:slug.svg and /art/gift-cards/:slug.svg: drawn at the first request, then cached. They belong to the
 * catalogue that all brands share, so they need neither brand nor session. Opened by itself, a drawing can run and load
 * nothing (its policy).
 */
export function artRoutes({ findName, draw }: ArtOptions): Hono<AppEnv> {
  const kept = new LRUCache<string, Promise<Drawing | null>>({ max: MAX_CACHED });

  function drawingOf(kind: ArtKind, slug: string): Promise<Drawing | null> {
    const key = `${kind}/${slug}`;
    const known = kept.get(key);
    if (known) return known;
    const made = make(kind, slug);
    kept.set(key, made);
    // A missing name may appear later, and a failure is not cached.
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

  return new Hono<AppEnv>().get(
    "/art/:kind{retailers|categories|gift-cards}/:file{[a-z0-9-]{1,100}\\.svg}",
    async (context) => {
      const drawing = await drawingOf(
        context.req.param("kind") as ArtKind,
        context.req.param("file").slice(0, -".svg".length),
      );
      if (!drawing) return context.notFound();
      const headers: Record<string, string> = {
        "Content-Type": "image/svg+xml",
        "Cache-Control": `public, max-age=${THIRTY_DAYS}`,
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
    },
  );
}
