import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import { staticFiles, type StaticFiles } from "../http/fast/static-files.ts";
import { GIFT_CARDS_SCRIPT, releaseIn, type WidgetRelease } from "./widget-files.ts";

/** A version of the widget's script that partners can pin. */
export interface PinnedVersion extends WidgetRelease {
  /** The folder of its files, or null if it is the running build, which was not released. */
  folder: string | null;
}

/** The files of every release, which `npm run widget:release` writes and nobody changes. */
export const releasesFolder = fileURLToPath(new URL("../../../packages/widget/releases", import.meta.url));

const VERSION = /^\d+\.\d+\.\d+$/;
const SCRIPT = "farthing-widget.js";

/** Returns the versions that are served, newest first: every release, and the running build if it was not released. */
export function readPinnedVersions(folder: string, running: WidgetRelease | null): PinnedVersion[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => VERSION.test(name)) : [];
  const released = names.map((version): PinnedVersion => {
    const files = join(folder, version);
    return { ...releaseIn(files, version), folder: files };
  });
  if (running && !names.includes(running.version)) released.push({ ...running, folder: null });
  return released.toSorted((one, other) => other.version.localeCompare(one.version, "en", { numeric: true }));
}

/**
 * Returns the version that pages should pin: the running one. A deployment can build its own environments into the script, so the bytes to pin are
 * those of the release.
 */
export function versionToPin(versions: readonly PinnedVersion[], running: WidgetRelease | null): WidgetRelease | null {
  return versions.find(({ version }) => version === running?.version) ?? null;
}

/**
 * GET /widget/<version>/…: a release's files, immutable. GET /widget/<major>/…: leads to the newest version of that major. GET
 * /widget/versions.json: all versions and their hashes. GET /widget/integrity.json: the version to pin. Everything else is left to the next routes.
 */
export function widgetVersions(versions: readonly PinnedVersion[], running: WidgetRelease | null): Hono<AppEnv> {
  const files = new Map<string, StaticFiles>(
    versions.flatMap(({ version, folder }) => (folder === null ? [] : [[version, staticFiles(folder)]])),
  );
  const app = new Hono<AppEnv>();
  app.get("/widget/versions.json", (context) =>
    context.json(
      {
        latest: running?.version ?? null,
        versions: versions.map(({ version, scriptPath, integrity, giftCards }) => ({
          version,
          path: scriptPath,
          integrity,
          ...(giftCards && { giftCards: { path: giftCards.scriptPath, integrity: giftCards.integrity } }),
        })),
      },
      200,
      LATEST,
    ),
  );
  app.get("/widget/integrity.json", (context) => {
    const pinned = versionToPin(versions, running);
    if (!pinned) return context.notFound();
    const { version, integrity, giftCards } = pinned;
    const portal = giftCards && { giftCards: { file: GIFT_CARDS_SCRIPT, integrity: giftCards.integrity } };
    return context.json({ version, file: SCRIPT, integrity, ...portal }, 200, LATEST);
  });
  app.get("/widget/:version/:file", async (context, next) => {
    const { version, file } = context.req.param();
    if (/^\d+$/.test(version)) {
      const newest = versions.find((one) => one.version.startsWith(`${version}.`));
      if (!newest || !SERVED.test(file)) return context.notFound();
      // The running version's address without a number: its script knows the deployment's environments.
      const place = newest.version === running?.version ? "" : `${newest.version}/`;
      return context.body(null, 302, { ...LATEST, Location: `/widget/${place}${file}` });
    }
    const release = files.get(version);
    if (!release) return next();
    if (!SERVED.test(file)) return context.notFound();
    const found = await release(`/${file}`, {
      method: context.req.method,
      acceptEncoding: context.req.header("accept-encoding"),
      ifNoneMatch: context.req.header("if-none-match"),
    });
    if (!found) return context.notFound();
    for (const [name, value] of Object.entries(IMMUTABLE)) found.headers.set(name, value);
    return found;
  });
  return app;
}

/** What a page may load of a release. */
const SERVED = /^([\w-]+\.(js|css)|integrity\.json)$/;
/** Any page may load the files, also with `integrity`, which needs CORS. */
const ANYONE = { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" };
const LATEST = { ...ANYONE, "Cache-Control": "public, max-age=300, must-revalidate" };
const IMMUTABLE = { ...ANYONE, "Cache-Control": "public, max-age=31536000, immutable" };
