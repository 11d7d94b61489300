import type { Brand } from "@farthing/core/brands/brand.ts";
import { coloursOf } from "@farthing/core/brands/theme-colours.server.ts";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { identityRoutes } from "./identity-routes.ts";

function brandOf({ slug = "ninth", theme = "wardlight", ...rest }: Partial<Brand> = {}): Brand {
  return {
    id: slug,
    slug,
    name: `${slug.charAt(0).toUpperCase()}${slug.slice(1)} club`,
    strapline: "Money back for people on the railways",
    audience: "testers",
    theme,
    affinityId: slug,
    supportEmail: `help@${slug}.example`,
    features: { telemetry: false, loginConfetti: false, carerMigration: false, appExclusive: false, giftCards: false },
    storeLinks: { ios: null, android: null },
    menu: [],
    banner: null,
    colours: coloursOf(theme),
    legalPages: [],
    notices: [],
    registration: { minimumAge: 18, residence: ["GB"] },
    ...rest,
  } as Brand;
}

function club(...brands: Brand[]) {
  const { app } = testApp(brands, async () => new Response("a page"), { identityRoutes: identityRoutes() });
  return {
    get: (path: string, { slug = brands[0]?.slug, headers = {} as Record<string, string> } = {}) =>
      app.request(`http://${slug}.test${path}`, { headers: { Host: `${slug}.test`, ...headers } }),
  };
}

const bytes = async (answer: Response | Promise<Response>) => Buffer.from(await (await answer).arrayBuffer());
/** Returns the colours of the pixels, to compare drawings and to see that something was drawn. */
const pixels = async (image: Buffer, size = 48) =>
  sharp(image).resize(size, size, { fit: "fill" }).flatten({ background: "#fff" }).raw().toBuffer();

describe("a brand's identity", () => {
  test.each([
    ["/brand/icon-192.png", 192, 192],
    ["/brand/icon-512.png", 512, 512],
    ["/brand/icon-maskable-512.png", 512, 512],
    ["/apple-touch-icon.png", 180, 180],
    ["/brand/social.png", 1200, 630],
  ])("B3 U3 %s is a PNG of %i by %i that is not blank", async (path, width, height) => {
    const answer = await club(brandOf()).get(path);
    expect(answer.headers.get("content-type")).toBe("image/png");
    const image = await bytes(answer);
    expect(await sharp(image).metadata()).toMatchObject({ format: "png", width, height });
    expect(new Set(await pixels(image)).size).toBeGreaterThan(8);
    expect(image.length).toBeLessThan(120_000);
  });

  test("U3 icons that systems cut to shape have no transparent corner", async () => {
    for (const path of ["/brand/icon-maskable-512.png", "/apple-touch-icon.png"]) {
      const { isOpaque } = await sharp(await bytes(club(brandOf()).get(path))).stats();
      expect(isOpaque, path).toBe(true);
    }
  });

  test("U3 /favicon.ico has PNGs of 16, 32 and 48 pixels at the offsets of its entries", async () => {
    const icon = await bytes(club(brandOf()).get("/favicon.ico"));
    expect({ reserved: icon.readUInt16LE(0), type: icon.readUInt16LE(2), images: icon.readUInt16LE(4) }).toEqual({
      reserved: 0,
      type: 1,
      images: 3,
    });
    for (const [index, size] of [16, 32, 48].entries()) {
      const at = 6 + 16 * index;
      const [length, offset] = [icon.readUInt32LE(at + 8), icon.readUInt32LE(at + 12)];
      expect(await sharp(icon.subarray(offset, offset + length)).metadata()).toMatchObject({
        format: "png",
        width: size,
        height: size,
      });
    }
  });

  test("B3 U3 the manifest has the brand's name and colours, and icons that exist", async () => {
    const { get } = club(brandOf({ name: "Railway & Rest" }));
    const answer = await get("/manifest.webmanifest");
    expect(answer.headers.get("content-type")).toBe("application/manifest+json");
    const manifest = (await answer.json()) as { icons: { src: string; type: string; purpose?: string }[] };
    expect(manifest).toMatchObject({
      name: "Railway & Rest",
      short_name: "Railway & Rest",
      start_url: "/",
      display: "standalone",
      theme_color: coloursOf("wardlight").hero,
      background_color: coloursOf("wardlight").ground,
    });
    for (const { src, type } of manifest.icons) expect((await get(src)).headers.get("content-type")).toBe(type);
    expect(manifest.icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
  });

  test("B4 each host answers with its own brand's images, also when two brands share a theme", async () => {
    const { get } = club(
      brandOf(),
      brandOf({ slug: "tenth", name: "Tenth club", theme: "tinrattle" }),
      brandOf({ slug: "eleventh", name: "Eleventh club" }),
    );
    for (const path of [
      "/brand/logo.svg",
      "/brand/icon.svg",
      "/brand/social.png",
      "/favicon.ico",
      "/manifest.webmanifest",
    ]) {
      const answers: string[] = [];
      for (const slug of ["ninth", "tenth", "eleventh", "ninth"])
        answers.push((await bytes(get(path, { slug }))).toString("base64"));
      // The icon of two clubs on one theme is their letter; the names of these begin with different ones.
      expect(new Set(answers).size, path).toBe(3);
      expect(answers[3], path).toBe(answers[0]);
    }
  });

  test("B5 a new brand of a theme has its letter as icon, and a new name shows at once", async () => {
    const themes = brandOf({ slug: "wardlight", name: "Wardlight" });
    const ninth = brandOf({ name: "Railwayside" });
    const images = await Promise.all(
      [themes, ninth, { ...ninth, name: "Zebra crossing" }].map(async (brand) =>
        pixels(await bytes(club(brand).get("/brand/icon-192.png"))),
      ),
    );
    expect(new Set(images.map((image) => image.toString("base64"))).size).toBe(3);
    const { get } = club(ninth);
    const before = (await get("/brand/social.png")).headers.get("etag");
    ninth.name = "Railwaymen";
    expect((await get("/brand/social.png")).headers.get("etag")).not.toBe(before);
  });

  test("B5 any name can be drawn: long, accented, with markup, or in letters that the font lacks", async () => {
    for (const name of ["A".repeat(60), "Élan vital", `<script>alert("&")</script>`, "鉄道", " "]) {
      const { get } = club(brandOf({ name, strapline: `${name} `.repeat(2).slice(0, 160) }));
      for (const path of ["/brand/logo.svg", "/brand/icon.svg"]) {
        const svg = await (await get(path)).text();
        expect(svg).not.toContain("<script");
        expect((await sharp(Buffer.from(svg)).metadata()).format).toBe("svg");
      }
      expect((await get("/brand/social.png")).status).toBe(200);
    }
  });

  test("B2 text is drawn as paths, so it does not depend on the server's fonts", async () => {
    for (const path of ["/brand/logo.svg", "/brand/icon.svg"])
      expect(await (await club(brandOf()).get(path)).text()).not.toMatch(/<text|font-family/);
  });

  test("P1 browsers cache the images, revalidate them, and get 304", async () => {
    const { get } = club(brandOf());
    const first = await get("/favicon.ico");
    expect(first.headers.get("cache-control")).toBe("public, max-age=3600, stale-while-revalidate=86400");
    const again = await get("/favicon.ico", { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  test("S1 a drawing that is opened directly can't run or load anything, and other files are 404", async () => {
    const { get } = club(brandOf());
    expect((await get("/brand/logo.svg")).headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const path of ["/brand/constructor", "/brand/identity.json", "/brand/..%2Fidentity.json"])
      expect(await (await get(path)).text(), path).toBe("a page");
  });
});
