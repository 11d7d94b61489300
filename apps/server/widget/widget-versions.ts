import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import { staticFiles, type StaticFiles } from "../http/fast/static-files.ts";
import { GIFT_CARDS_SCRIPT, releaseIn, type WidgetRelease } from "./widget-files.ts";

/** A released version of the widget's script. Its bytes never change, so partners can pin it. */
export interface PinnedVersion extends WidgetRelease {
  /** The folder of its files. */
  folder: string;
}

/** The files of every release, which `npm run widget:release` writes and nobody changes. */
export const releasesFolder = fileURLToPath(new URL("../../../packages/widget/releases", import.meta.url));

const VERSION = /^\d+\.\d+\.\d+$/;
const SCRIPT = "farthing-widget.js";

/** Returns the released versions, newest first. A build that was not released is none of them: the next build of its version has other bytes. */
export function readPinnedVersions(folder: string): PinnedVersion[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => VERSION.test(name)) : [];
  const released = names.map((version): PinnedVersion => {
    const files = join(folder, version);
    return { ...releaseIn(files, version), folder: files };
  });
  return released.toSorted((one, other) => compareVersions(other.version, one.version));
}

/** Sorts versions, oldest first. */
const compareVersions = (one: string, other: string) => one.localeCompare(other, "en", { numeric: true });

/** Returns the version that pages should pin: the newest release. Null: there is none. */
export function versionToPin(versions: readonly PinnedVersion[]): WidgetRelease | null {
  return versions[0] ?? null;
}

/**
 * GET /widget/<version>/…: a release's files, immutable. GET /widget/<major>/…: leads to the newest version of that major, the running build
 * included. GET /widget/versions.json: all releases and their hashes. GET /widget/integrity.json: the release to pin. Everything else is left to the
 * next routes.
 */
export function widgetVersions(versions: readonly PinnedVersion[], running: WidgetRelease | null): Hono<AppEnv> {
  const files = new Map<string, StaticFiles>(versions.map(({ version, folder }) => [version, staticFiles(folder)]));
  const app = new Hono<AppEnv>();
  app.get("/widget/versions.json", (context) =>
    context.json(
      {
        latest: versionToPin(versions)?.version ?? null,
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
    const pinned = versionToPin(versions);
    if (!pinned) return context.notFound();
    const { version, integrity, giftCards } = pinned;
    const portal = giftCards && { giftCards: { file: GIFT_CARDS_SCRIPT, integrity: giftCards.integrity } };
    return context.json({ version, file: SCRIPT, integrity, ...portal }, 200, LATEST);
  });
  app.get("/widget/:version/:file", async (context, next) => {
    const { version, file } = context.req.param();
    if (/^\d+$/.test(version)) {
      const ofMajor = [...versions, ...(running ? [running] : [])].filter((one) =>
        one.version.startsWith(`${version}.`),
      );
      const newest = ofMajor
        .map((one) => one.version)
        .toSorted(compareVersions)
        .at(-1);
      if (newest === undefined || !SERVED.test(file)) return context.notFound();
      // The running version's address without a number: its script knows the deployment's environments.
      const place = newest === running?.version ? "" : `${newest}/`;
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
