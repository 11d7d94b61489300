import type { Brand } from "@farthing/core/brands/brand.ts";
import { ownColoursCss, readColourFile } from "@farthing/core/brands/own-colours.ts";
import { startOf, themeNames } from "@farthing/core/brands/theme-colours.server.ts";
import { paths } from "@farthing/core/paths.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { isUnchanged } from "../http/is-unchanged.ts";
import { brandImageNames, brandImages, type BrandImageName } from "./brand-images.ts";

/** Cached for an hour, and served stale for a day while it is refreshed: an operator's new name shows the same day. */
const CACHE_CONTROL = "public, max-age=3600, stale-while-revalidate=86400";
const isImageName = (name: string): name is BrandImageName => (brandImageNames as string[]).includes(name);

/**
 * Serves a brand's identity outside its pages (B3, U3): /brand/logo.svg, icons, the social image, and the files that
 * browsers and phones request by name. All are drawn from the brand's row and its theme, so a new brand needs no
 * deploy (B5).
 */
export function identityRoutes(): Hono<AppEnv> {
  const imageOf = brandImages();

  async function answer(context: Context<AppEnv>, name: BrandImageName): Promise<Response> {
    const { type, bytes, etag } = await imageOf(context.get("visit").brand, name);
    return send(context, { type, etag, body: bytes });
  }

  return new Hono<AppEnv>()
    .get("/brand/:file", (context) => {
      const name = context.req.param("file");
      const colours = readColourFile(name);
      if (colours && themeNames.includes(colours.theme))
        return context.body(ownColoursCss(colours.own, startOf(colours.theme)), 200, {
          "Content-Type": "text/css; charset=utf-8",
          "Cache-Control": "public, max-age=31536000, immutable",
        });
      return isImageName(name) ? answer(context, name) : context.notFound();
    })
    .get("/favicon.ico", (context) => answer(context, "favicon.ico"))
    .get("/apple-touch-icon.png", (context) => answer(context, "apple-touch-icon.png"))
    .get("/apple-touch-icon-precomposed.png", (context) => answer(context, "apple-touch-icon.png"))
    .get("/manifest.webmanifest", (context) => {
      const { brand } = context.get("visit");
      return send(context, { type: "application/manifest+json", body: JSON.stringify(manifestOf(brand)) });
    });
}

/** Returns the W3C Web Application Manifest. The id identifies an installed app, also when the start URL changes. */
function manifestOf({ name, strapline, colours }: Brand) {
  const png = { type: "image/png" };
  return {
    id: paths.home,
    name,
    short_name: name,
    description: strapline,
    lang: "en-GB",
    dir: "ltr",
    start_url: paths.home,
    scope: paths.home,
    display: "standalone",
    theme_color: colours.hero,
    background_color: colours.ground,
    categories: ["shopping", "finance"],
    shortcuts: [{ name: "Digital ID", url: paths.digitalId }],
    icons: [
      { src: "/brand/icon.svg", type: "image/svg+xml", sizes: "any" },
      { src: "/brand/icon-192.png", ...png, sizes: "192x192" },
      { src: "/brand/icon-512.png", ...png, sizes: "512x512" },
      { src: "/brand/icon-maskable-512.png", ...png, sizes: "512x512", purpose: "maskable" },
    ],
  };
}

function send(
  context: Context<AppEnv>,
  { type, body, etag }: { type: string; body: string | Uint8Array<ArrayBuffer>; etag?: string },
): Response {
  const headers: Record<string, string> = { "Content-Type": type, "Cache-Control": CACHE_CONTROL };
  if (etag !== undefined) {
    headers["ETag"] = etag;
    if (isUnchanged(context.req.header("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  }
  return new Response(body, { headers });
}
