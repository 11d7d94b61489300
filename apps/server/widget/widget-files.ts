import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { staticFiles } from "../http/fast/static-files.ts";
import { withEnvironments, type ServedEnvironment } from "./with-environments.ts";

/** The built widget as partners load it. */
export interface WidgetRelease {
  version: string;
  /** Address of this version's script; its content never changes once the version is released. */
  scriptPath: string;
  /** For the script tag's `integrity`, so that a page runs these bytes or none (W1). */
  integrity: string;
  /** The gift-card portal's script of the same version (G1). Null: versions before 1.1.0 have none. */
  giftCards: PinnedScript | null;
}

export interface PinnedScript {
  scriptPath: string;
  integrity: string;
}

/** The files that partners' pages may load; the package's metadata is not among them. */
const served = /^\/([\w-]+\.(js|css)|integrity\.json)$/;
const script = "farthing-widget.js";
export const GIFT_CARDS_SCRIPT = "farthing-gift-cards.js";
/** The scripts for script tags: the payment widget's and the gift-card portal's. */
const scripts: readonly string[] = [script, GIFT_CARDS_SCRIPT];

/** The widget's build. */
export const widgetFolder = fileURLToPath(new URL("../../../packages/widget/dist", import.meta.url));

/** Returns the release in a folder that packages/widget/build.ts wrote, or null if nothing has been built. */
export function readWidgetRelease(folder: string): WidgetRelease | null {
  const file = join(folder, script);
  const manifest = join(folder, "integrity.json");
  if (!existsSync(file) || !existsSync(manifest)) return null;
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return releaseIn(folder, version);
}

/** Returns what pages pin of a version. Hashes are computed from the bytes that are served, not taken from integrity.json. */
export function releaseIn(folder: string, version: string): WidgetRelease {
  const pinned = (file: string): PinnedScript => ({
    scriptPath: `/widget/${version}/${file}`,
    integrity: `sha384-${createHash("sha384")
      .update(readFileSync(join(folder, file)))
      .digest("base64")}`,
  });
  const giftCards = existsSync(join(folder, GIFT_CARDS_SCRIPT)) ? pinned(GIFT_CARDS_SCRIPT) : null;
  return { version, ...pinned(script), giftCards };
}

/**
 * GET /widget/<version>/…: the running build as it was built, for a version that is not released (releases: widgetVersions). The next build of the
 * version has other bytes, so browsers ask each time. GET /widget/…: the same build, revalidated after five minutes, its scripts with this
 * deployment's environments. Any page may load them, also with `integrity`, which needs CORS.
 */
export function widgetFiles(folder: string, build: WidgetRelease | null, own: ServedEnvironment): Hono<AppEnv> {
  const built = staticFiles(folder);
  const latest = staticFiles(folder, (path, bytes) =>
    scripts.includes(path.slice(1)) ? Buffer.from(withEnvironments(bytes.toString(), own)) : bytes,
  );
  const serve = async (context: Context<AppEnv>, path: string, isUnreleased: boolean) => {
    if (!served.test(path)) return context.notFound();
    const found = await (isUnreleased ? built : latest)(path, {
      method: context.req.method,
      acceptEncoding: context.req.header("accept-encoding"),
      ifNoneMatch: context.req.header("if-none-match"),
    });
    if (!found) return context.notFound();
    found.headers.set("Access-Control-Allow-Origin", "*");
    found.headers.set("Cross-Origin-Resource-Policy", "cross-origin");
    if (isUnreleased) found.headers.set("Cache-Control", "no-cache");
    return found;
  };
  return new Hono<AppEnv>()
    .get("/widget/:version/:file", (context) => {
      const { version, file } = context.req.param();
      return build?.version === version ? serve(context, `/${file}`, true) : context.notFound();
    })
    .get("/widget/:file", (context) => serve(context, `/${context.req.param("file")}`, false));
}
