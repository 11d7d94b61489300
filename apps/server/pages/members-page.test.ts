import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fillPage,
  fillPageAsGzip,
  MEMBER_NAME_HOLE,
  membersPage,
  MONEY_HOLE,
  TELEMETRY_USER_HOLE,
} from "./members-page.ts";

const heart = (key: string, isPressed = false) =>
  `<button type="submit" form="favourites-form" name="${isPressed ? "remove" : "add"}" value="${key}" class="favourite-button" aria-pressed="${isPressed}" aria-label="Favourite: Büro &amp; 1">♥</button>`;

const keep = (html: string, headers: Record<string, string> = {}) =>
  membersPage({
    key: "http://one.test/",
    origin: "http://one.test",
    path: "/",
    headers: new Headers(headers),
    body: Buffer.from(html),
    now: 0,
    freshMs: 5_000,
    staleMs: 60_000,
  });

const ada = { name: "Ada", telemetryUser: "lovvGu-SpaqB9Y3_s0VjlQ", money: "£1.20 is yours.", favourites: [] };

describe("B4 a page for all members", () => {
  test("B4 has the member's name in each hole, escaped", async () => {
    const page = await keep(`<b>${MEMBER_NAME_HOLE}</b>, or <i>${MEMBER_NAME_HOLE}</i>`);
    const name = `Ada <script>"O'Brien" & Söhne`;
    expect(fillPage(page, { ...ada, name }).toString()).toBe(
      "<b>Ada &lt;script&gt;&quot;O&#39;Brien&quot; &amp; Söhne</b>, or <i>Ada &lt;script&gt;&quot;O&#39;Brien&quot; &amp; Söhne</i>",
    );
  });

  test("T2 has the pseudonym of the member's telemetry in its own holes, and a look-alike is text", async () => {
    const lookAlike = MEMBER_NAME_HOLE.replace(/[0-9a-f]{12}/, "000000000000");
    const page = await keep(`${TELEMETRY_USER_HOLE}${MEMBER_NAME_HOLE}, ${lookAlike} ${TELEMETRY_USER_HOLE}`);
    const filled = `${ada.telemetryUser}Ada, ${lookAlike} ${ada.telemetryUser}`;
    expect(fillPage(page, ada).toString()).toBe(filled);
    expect(gunzipSync(await fillPageAsGzip(page, ada)).toString()).toBe(filled);
  });

  test("D1 C3 has the sentence about the member's money in its own hole", async () => {
    const page = await keep(`<p>${MONEY_HOLE}</p>${MEMBER_NAME_HOLE}`);
    expect(fillPage(page, ada).toString()).toBe("<p>£1.20 is yours.</p>Ada");
    expect(gunzipSync(await fillPageAsGzip(page, ada)).toString()).toBe("<p>£1.20 is yours.</p>Ada");
  });

  test("D10 the member's favourites are pressed, wherever they stand, and no others", async () => {
    const page = (pressed: string[], name: string) =>
      `<p>Größe</p>${heart("offer/a", pressed.includes("offer/a"))}${name}${heart("offer/b", pressed.includes("offer/b"))} ☂ ${heart("retailer/a", pressed.includes("retailer/a"))}${heart("offer/a", pressed.includes("offer/a"))}`;
    const kept = await keep(page([], MEMBER_NAME_HOLE));
    expect(fillPage(kept, { ...ada, favourites: ["offer/a", "retailer/zzz"] }).toString()).toBe(
      page(["offer/a"], "Ada"),
    );
    expect(fillPage(kept, ada).toString(), "the kept page has not changed").toBe(page([], "Ada"));
  });

  test("B4 the gzip of a page is the page, for any name, favourites and text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: "grapheme" }),
            fc.constantFrom(MEMBER_NAME_HOLE, TELEMETRY_USER_HOLE, MONEY_HOLE, heart("offer/a")),
          ),
          {
            maxLength: 12,
          },
        ),
        fc.string({ unit: "grapheme" }),
        fc.boolean(),
        async (pieces, name, hasFavourite) => {
          const page = await keep(pieces.join(" "));
          const words = {
            ...ada,
            name,
            favourites: hasFavourite ? (["offer/a"] as const) : [],
          };
          const whole = fillPage(page, words);
          expect(gunzipSync(await fillPageAsGzip(page, words)).equals(whole)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("B4 a page of ordinary size is a quarter of its bytes as gzip", async () => {
    const page = await keep(`${"<li>Ten per cent off boots at Fernhollow</li>".repeat(500)}${MEMBER_NAME_HOLE}`);
    expect((await fillPageAsGzip(page, ada)).length).toBeLessThan(fillPage(page, ada).length / 4);
  });

  test("S1 headers that belong to one connection or one answer are not kept", async () => {
    const page = await keep("page", {
      "content-type": "text/html",
      "set-cookie": "a=b",
      etag: '"x"',
      "x-request-id": "1",
      "content-security-policy": "default-src 'self'",
    });
    expect(page.headers).toEqual([
      ["content-security-policy", "default-src 'self'"],
      ["content-type", "text/html"],
    ]);
  });
});
