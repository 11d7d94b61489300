import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { artRoutes } from "./art-routes.ts";

function artApp() {
  let asked = 0;
  const routes = artRoutes({
    findName: async (kind, slug) => ((asked += 1), slug === "quillmoor-books" ? `Quillmoor ${kind}` : null),
    draw: (kind, { name }) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${kind}: ${name}</title></svg>`,
  });
  const { app } = testApp([], async () => new Response("a page"), { artRoutes: routes });
  return { app, asked: () => asked };
}

describe("art", () => {
  test("U2 retailers' and categories' drawings are SVG, cached by browsers, and run nothing when opened directly", async () => {
    const { app } = artApp();
    for (const kind of ["retailers", "categories"]) {
      const answer = await app.request(`/art/${kind}/quillmoor-books.svg`);
      expect(answer.headers.get("content-type")).toBe("image/svg+xml");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=2592000");
      expect(answer.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      );
      expect(await answer.text()).toContain(`${kind}: Quillmoor ${kind}`);
    }
  });

  test("a drawing is made once; later requests get 304 or a compressed copy", async () => {
    const { app, asked } = artApp();
    const [first] = await Promise.all(
      Array.from({ length: 20 }, async () => app.request("/art/retailers/quillmoor-books.svg")),
    );
    expect(asked()).toBe(1);
    const etag = first?.headers.get("etag") ?? "";
    expect(
      (await app.request("/art/retailers/quillmoor-books.svg", { headers: { "if-none-match": etag } })).status,
    ).toBe(304);
    const br = await app.request("/art/retailers/quillmoor-books.svg", { headers: { "accept-encoding": "br" } });
    expect(brotliDecompressSync(Buffer.from(await br.arrayBuffer())).toString()).toContain("Quillmoor");
  });

  test("S1 thousands of drawings evict those not requested lately, and unknown names are not cached", async () => {
    const asked: string[] = [];
    const routes = artRoutes({
      findName: async (_, slug) => (asked.push(slug), slug.startsWith("made-up") ? null : slug),
      draw: () => "<svg/>",
    });
    const { app } = testApp([], async () => new Response("a page"), { artRoutes: routes });
    const get = (slug: string) => app.request(`/art/retailers/${slug}.svg`);
    const times = (slug: string) => asked.filter((one) => one === slug).length;
    await get("first");
    await get("popular");
    for (let number = 0; number < 2_500; number += 1) {
      await get(`shop-${number}`);
      await get(`made-up-${number}`);
      await get("popular");
    }
    await get("first");
    expect({ popular: times("popular"), first: times("first") }).toEqual({ popular: 1, first: 2 });
  });

  test.each([
    "/art/retailers/unknown.svg",
    "/art/retailers/../quillmoor-books.svg",
    "/art/members/quillmoor-books.svg",
    "/art/retailers/quillmoor-books.png",
    "/art/retailers/%3Cscript%3E.svg",
    "/art/",
  ])("%s is not found", async (path) => {
    const answer = await artApp().app.request(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toContain("text/html");
  });
});
