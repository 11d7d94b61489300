import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isReadableAddress, isReadableText, readableBody } from "./readable-input.ts";

const get = (path: string) => isReadableAddress(`http://one.test${path}`);
const send = (type: string, body: string | Uint8Array<ArrayBuffer>) =>
  readableBody(new Request("http://one.test/login", { method: "POST", headers: { "content-type": type }, body }));
const post = async (...sent: Parameters<typeof send>) => (await send(...sent)) !== null;
const form = "application/x-www-form-urlencoded";
const bytes = (...values: number[]) => Uint8Array.from(values);

describe("S2 the boundary for all input", () => {
  test.each(["%00", "a%00b", "%ED%A0%80", "%ED%BF%BF", "%FF", "%C3", "%C3%", "%C0%80", "%F4%90%80%80", "%E9t%E9"])(
    "S2 %s is not text, in any place",
    async (odd) => {
      expect(get(`/retailers/${odd}`)).toBe(false);
      expect(get(`/search?q=${odd}`)).toBe(false);
      expect(get(`/search?${odd}=x`)).toBe(false);
      expect(await post(form, `email=${odd}`)).toBe(false);
      expect(await post(form, `${odd}=x`)).toBe(false);
    },
  );

  test("S2 a path must be percent-encoded correctly; in a form 50% stays 50%", async () => {
    expect(get("/retailers/50%")).toBe(false);
    expect(get("/retailers/%zz")).toBe(false);
    expect(get("/search?q=50%")).toBe(true);
    expect(await post(form, "q=50%&%zz=%")).toBe(true);
  });

  test("S2 bytes that are not UTF-8 and a raw NUL are refused in forms and JSON", async () => {
    for (const type of [form, "application/json", "multipart/form-data; boundary=x"])
      for (const odd of [bytes(0x61, 0x3d, 0xff), bytes(0x61, 0x3d, 0), bytes(0xed, 0xa0, 0x80)])
        if (!(type === "application/json" && odd.includes(0))) expect(await post(type, odd)).toBe(false);
  });

  test("S2 JSON is checked in names and values, at any depth, also inside a field", async () => {
    for (const json of ['"\\u0000"', '{"a":[{"b":"x\\ud800"}]}', '{"\\udfff":1}', '["\\udc00\\ud800"]']) {
      expect(await post("application/json; charset=utf-8", json)).toBe(false);
      expect(await post("application/vnd.x+json", json)).toBe(false);
      if (json.startsWith("{")) expect(await post(form, `answer=${encodeURIComponent(json)}`)).toBe(false);
    }
    const parts = (value: string) =>
      `--x\r\nContent-Disposition: form-data; name="answer"\r\n\r\n${value}\r\n--x--\r\n`;
    const inParts = (value: string) => post("multipart/form-data; boundary=x", parts(value));
    expect(await inParts('{"id":"a\\u0000"}')).toBe(false);
    expect(await inParts('{"id":"a"}')).toBe(true);
    expect(await post("application/json", `${"[".repeat(100_000)}"\\u0000"${"]".repeat(100_000)}`)).toBe(false);
    expect(await post("application/json", '{"a":"\\ud83d\\udc4b \\\\u0000 null"}')).toBe(true);
    expect(await post(form, "note=\\u0000 is how JSON writes it")).toBe(true);
  });

  test.each(["%5c%750000", "%5C%75%30000", "\\%7500%30%30", "%5cud8%30%30", "%5Cu%44800"])(
    "S2 %s in JSON in a field is read as it decodes",
    async (escape) => expect(await post(form, `answer=%7B%22id%22%3A%22a${escape}%22%7D`)).toBe(false),
  );

  test("S2 a byte order mark hides nothing of what follows it", async () => {
    expect(await post("application/json", '\uFEFF{"a":"\\ud800"}')).toBe(false);
    expect(await post(form, `answer=${encodeURIComponent('\uFEFF{"id":"a\\u0000"}')}`)).toBe(false);
    expect(await post("application/json", '\uFEFF{"a":"b"}')).toBe(true);
  });

  test("S2 an accepted body arrives byte for byte as sent, because signatures cover it", async () => {
    const sent = '{ "a" : "é\\u00e9" }\n';
    const request = await send("application/json", sent);
    expect(await request?.text()).toBe(sent);
    expect(request?.headers.get("content-type")).toBe("application/json");
    const typed = await send(form, "email=a%40b.test&name=%F0%9F%91%8B");
    expect([...((await typed?.formData()) ?? [])]).toEqual([
      ["email", "a@b.test"],
      ["name", "👋"],
    ]);
  });

  test("S2 any text is accepted, in every place", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        const readable = isReadableText(text);
        const json = JSON.stringify({ [text]: [text] });
        expect(await post("application/json", json)).toBe(readable);
        if (!readable) return;
        expect(get(`/search?q=${encodeURIComponent(text)}`)).toBe(true);
        expect(get(`/retailers/x${encodeURIComponent(text)}`)).toBe(true);
        expect(await post(form, String(new URLSearchParams({ [text]: text })))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("S2 a body that is not read as text passes unread", async () => {
    for (const type of ["text/plain", "application/octet-stream", "x"]) {
      const request = new Request("http://one.test/x", {
        method: "POST",
        headers: { "content-type": type },
        body: bytes(0),
      });
      expect(await readableBody(request)).toBe(request);
      expect(request.bodyUsed).toBe(false);
    }
  });
});
