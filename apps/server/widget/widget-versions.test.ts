import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { readWidgetRelease, widgetFiles } from "./widget-files.ts";
import { servedEnvironment } from "./with-environments.ts";
import { readPinnedVersions, versionToPin, widgetVersions } from "./widget-versions.ts";

const folder = mkdtempSync(join(tmpdir(), "farthing-releases-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the bytes of a version's script, different for each. */
const scriptOf = (name: string) => `window.Farthing = ${JSON.stringify(name)};\n`.repeat(100);
const hashOf = (bytes: string | Buffer) => `sha384-${createHash("sha384").update(bytes).digest("base64")}`;

function write(path: string, { version, script }: { version: string; script: string }): void {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, "farthing-widget.js"), script);
  writeFileSync(join(folder, path, "react.js"), `export const of = "${path}";`);
  writeFileSync(join(folder, path, "package.json"), "{}");
  writeFileSync(join(folder, path, "integrity.json"), JSON.stringify({ version, integrity: "what somebody wrote" }));
}
for (const version of ["1.0.0", "1.9.3", "1.10.0", "2.0.0"]) {
  write(`releases/${version}`, { version, script: scriptOf(version) });
}
mkdirSync(join(folder, "releases/not-a-version"));
// Version 2.0.0 has the gift-card portal, earlier ones don't.
writeFileSync(join(folder, "releases/2.0.0/farthing-gift-cards.js"), scriptOf("2.0.0 gift cards"));
// The running build: version 2.0.0 with a deployment's own environments, and an unreleased 2.1.0.
write("customised", { version: "2.0.0", script: scriptOf("2.0.0 customised") });
write("unreleased", { version: "2.1.0", script: scriptOf("2.1.0") });

function open(build: string) {
  const running = readWidgetRelease(join(folder, build));
  const versions = readPinnedVersions(join(folder, "releases"));
  const own = servedEnvironment({ environment: "production", stripe: null });
  const { app } = testApp([], async () => new Response(null), {
    widgetRoutes: widgetVersions(versions, running).route("/", widgetFiles(join(folder, build), running, own)),
  });
  const get = (path: string, init?: RequestInit) =>
    app.request(`http://one.test${path}`, { ...init, headers: { host: "one.test", ...init?.headers } });
  return { get, pin: versionToPin(versions) };
}
const club = open("customised");

describe("W1 pinned versions of the widget", () => {
  test.each(["1.0.0", "1.9.3", "1.10.0", "2.0.0"])(
    "W1 %s stays served, with the bytes of its release",
    async (version) => {
      const answer = await club.get(`/widget/${version}/farthing-widget.js`, {
        headers: { origin: "https://shop.example" },
      });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe(scriptOf(version));
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      expect(await (await club.get(`/widget/${version}/react.js`)).text()).toContain(version);
    },
  );

  test("W1 versions.json lists every version, newest first, with the hash of what its address serves", async () => {
    const answer = await club.get("/widget/versions.json");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const { latest, versions } = (await answer.json()) as {
      latest: string;
      versions: { version: string; path: string; integrity: string }[];
    };
    expect(latest).toBe("2.0.0");
    expect(versions.map(({ version }) => version)).toEqual(["2.0.0", "1.10.0", "1.9.3", "1.0.0"]);
    for (const { path, integrity } of versions) {
      const bytes = Buffer.from(await (await club.get(path)).arrayBuffer());
      expect(hashOf(bytes)).toBe(integrity);
    }
  });

  test("G1 versions.json and integrity.json have the portal's hash too, where the version has a portal", async () => {
    const integrity = hashOf(scriptOf("2.0.0 gift cards"));
    const { versions } = (await (await club.get("/widget/versions.json")).json()) as {
      versions: { version: string; giftCards?: { path: string; integrity: string } }[];
    };
    const [newest, ...earlier] = versions;
    expect(newest?.giftCards).toEqual({ path: "/widget/2.0.0/farthing-gift-cards.js", integrity });
    expect(earlier.filter((version) => "giftCards" in version)).toEqual([]);
    const served = await club.get("/widget/2.0.0/farthing-gift-cards.js");
    expect(hashOf(Buffer.from(await served.arrayBuffer()))).toBe(integrity);
    expect(await (await club.get("/widget/integrity.json")).json()).toMatchObject({
      giftCards: { file: "farthing-gift-cards.js", integrity },
    });
  });

  test("W1 the version to pin has the hash of its release, also where a deployment builds its own environments in", async () => {
    expect(club.pin).toMatchObject({ version: "2.0.0", integrity: hashOf(scriptOf("2.0.0")) });
    const answer = await club.get("/widget/integrity.json");
    expect(await answer.json()).toMatchObject({ version: "2.0.0", integrity: hashOf(scriptOf("2.0.0")) });
    expect(await (await club.get("/widget/farthing-widget.js")).text()).toContain(scriptOf("2.0.0 customised"));
  });

  test("W1 a major number leads to its newest version, for five minutes", async () => {
    for (const [major, place] of [
      ["1", "/widget/1.10.0/farthing-widget.js"],
      ["2", "/widget/farthing-widget.js"], // the running one, which knows the deployment's environments
    ]) {
      const answer = await club.get(`/widget/${major}/farthing-widget.js`);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, place]);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=300, must-revalidate");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("W1 an unreleased build is served, and no page is told to pin it or keeps it", async () => {
    const { get, pin } = open("unreleased");
    expect(pin).toMatchObject({ version: "2.0.0", integrity: hashOf(scriptOf("2.0.0")) });
    const built = await get("/widget/2.1.0/farthing-widget.js");
    expect(await built.text()).toBe(scriptOf("2.1.0"));
    expect(built.headers.get("cache-control")).toBe("no-cache");
    const { latest, versions } = (await (await get("/widget/versions.json")).json()) as {
      latest: string;
      versions: { version: string }[];
    };
    expect([latest, ...versions.map(({ version }) => version)]).toEqual(["2.0.0", "2.0.0", "1.10.0", "1.9.3", "1.0.0"]);
    expect(await (await get("/widget/integrity.json")).json()).toMatchObject({ version: "2.0.0" });
    const released = await get("/widget/2.0.0/farthing-widget.js");
    expect(await released.text()).toBe(scriptOf("2.0.0"));
    expect(released.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const major = await get("/widget/2/farthing-widget.js");
    expect(major.headers.get("location"), "the running build, with the environments").toBe(
      "/widget/farthing-widget.js",
    );
  });

  test("W1 without a build the releases are served, and the newest is to be pinned", async () => {
    const { get, pin } = open("missing");
    expect(pin).toMatchObject({ version: "2.0.0" });
    expect((await get("/widget/1.0.0/farthing-widget.js")).status).toBe(200);
    expect((await get("/widget/farthing-widget.js")).status).toBe(404);
  });

  test("W1 without a release there is no version to pin", () => {
    expect(readPinnedVersions(join(folder, "missing"))).toEqual([]);
    expect(versionToPin([])).toBeNull();
  });

  test.each([
    "/widget/3/farthing-widget.js",
    "/widget/1/package.json",
    "/widget/1/..%2f1.0.0%2fpackage.json",
    "/widget/01/farthing-widget.js",
    "/widget/1.0/farthing-widget.js",
    "/widget/1.0.1/farthing-widget.js",
    "/widget/1.0.0/package.json",
    "/widget/1.0.0/..%2f..%2fpackage.json",
    "/widget/1.0.0/missing.js",
    "/widget/not-a-version/farthing-widget.js",
    "/widget/__proto__/farthing-widget.js",
  ])("W1 %s is not found, and that is not cached", async (path) => {
    const answer = await club.get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});
