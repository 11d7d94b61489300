import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { staticFiles } from "./static-files.ts";

const parent = mkdtempSync(join(tmpdir(), "farthing-static-"));
afterAll(() => rmSync(parent, { recursive: true }));
const folder = join(parent, "client");
mkdirSync(join(folder, "assets"), { recursive: true });
const script = "export const answer = 42;\n".repeat(100);
writeFileSync(join(folder, "assets", "entry-abc123.js"), script);
writeFileSync(join(folder, "assets", "font-abc123.woff2"), Buffer.alloc(2000, 7));
writeFileSync(join(folder, "robots.txt"), "User-agent: *\n");
writeFileSync(join(folder, ".secret"), "hidden");
writeFileSync(join(parent, "outside.txt"), "outside");
const files = staticFiles(folder);
const get = (
  path: string,
  {
    method = "GET",
    acceptEncoding,
    ifNoneMatch,
  }: { method?: string; acceptEncoding?: string; ifNoneMatch?: string } = {},
) => files(path, { method, acceptEncoding, ifNoneMatch });

describe("static files", () => {
  test("a file with a hash in its name is immutable, and compressed as the browser accepts", async () => {
    const plain = await get("/assets/entry-abc123.js");
    expect(plain?.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain?.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await plain?.text()).toBe(script);
    const br = await get("/assets/entry-abc123.js", { acceptEncoding: "gzip, br" });
    expect(br?.headers.get("content-encoding")).toBe("br");
    expect(brotliDecompressSync(Buffer.from(await br!.arrayBuffer())).toString()).toBe(script);
    const zipped = await get("/assets/entry-abc123.js", { acceptEncoding: "gzip" });
    expect(gunzipSync(Buffer.from(await zipped!.arrayBuffer())).toString()).toBe(script);
    expect(zipped?.headers.get("vary")).toBe("Accept-Encoding");
  });

  test("a file that could not be read is read again for the next request", async () => {
    const file = join(folder, "robots.txt");
    const own = staticFiles(folder);
    const read = () => own("/robots.txt", { method: "GET", acceptEncoding: undefined, ifNoneMatch: undefined });
    renameSync(file, `${file}.away`);
    await expect(read()).rejects.toThrow("ENOENT");
    renameSync(`${file}.away`, file);
    expect((await read())?.status).toBe(200);
  });

  test("fonts are not compressed again", async () => {
    const font = await get("/assets/font-abc123.woff2", { acceptEncoding: "br" });
    expect(font?.headers.get("content-encoding")).toBeNull();
    expect(font?.headers.get("content-length")).toBe("2000");
  });

  test("other files are revalidated and get 304 while unchanged", async () => {
    const robots = await get("/robots.txt");
    expect(robots?.headers.get("cache-control")).toContain("must-revalidate");
    const again = await get("/robots.txt", { ifNoneMatch: robots?.headers.get("etag") ?? "" });
    expect(again?.status).toBe(304);
  });

  test.each([
    "/../outside.txt",
    "/assets/../../outside.txt",
    "/%2e%2e/outside.txt",
    "//outside.txt",
    "/.secret",
    "/assets",
    "/assets/",
    "/",
    "/assets/entry-abc123.js\0.txt",
    "/ROBOTS.TXT",
  ])("S1 a path that is not a file of the build is not found: %j", async (path) => {
    expect(await get(path)).toBeNull();
  });

  test("HEAD gets the length and no body; a post passes on", async () => {
    const head = await get("/robots.txt", { method: "HEAD" });
    expect(head?.headers.get("content-length")).toBe("14");
    expect(await head?.text()).toBe("");
    expect(await get("/robots.txt", { method: "POST" })).toBeNull();
  });

  test("a missing build is an empty list", async () => {
    expect(
      await staticFiles(join(parent, "nowhere"))("/robots.txt", {
        method: "GET",
        acceptEncoding: undefined,
        ifNoneMatch: undefined,
      }),
    ).toBeNull();
  });
});
