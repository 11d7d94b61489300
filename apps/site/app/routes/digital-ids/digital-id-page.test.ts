import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { stepAt } from "@farthing/core/digital-ids/rules.ts";
import { codeVectors, vectorSecret } from "@farthing/core/digital-ids/vectors.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, textOf, type TestClub } from "../../../testing/site.testing.ts";
import type { SignedInMember } from "../../../server/visit.ts";
import type { HandedOut } from "./hand-out-device.ts";
import { importSecret, signCode } from "./sign-code.ts";

const { db } = await testDatabase();
loadSite();

let now = NOW;
let ours: TestClub;
let theirs: TestClub;
beforeAll(async () => {
  ours = await openClub(db, { now: () => now });
  theirs = await openClub(db, { now: () => now });
});

async function newMember(club: TestClub, name: string, verification = "verified"): Promise<SignedInMember> {
  const member = await club.newMember();
  await db.updateTable("members").set({ name, verification }).where("id", "=", member.id).execute();
  return { ...member, name };
}

const handOut = (club: TestClub, member: SignedInMember | null, headers = {}) =>
  club.post("/digital-id/device", {}, { member, headers });

async function codeOf(club: TestClub, member: SignedInMember, at = now): Promise<string> {
  const { handle, secret } = (await (await handOut(club, member)).json()) as HandedOut;
  const key = await importSecret(Uint8Array.from(Buffer.from(secret, "base64")));
  return signCode(key, handle, stepAt(at.getTime()));
}

const check = async (club: TestClub, code: string) => {
  const response = await club.get(`/check?c=${encodeURIComponent(code)}`);
  return { response, html: await response.text() };
};
const answerOf = (html: string) => /<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1];

describe("signing in the browser", () => {
  test.each(codeVectors)("M6 Web Crypto computes $sign too", async ({ handle, step, sign }) => {
    expect(await signCode(await importSecret(vectorSecret), handle, step)).toBe(handle + sign);
  });

  test("S1 the key cannot be exported", async () => {
    await expect(crypto.subtle.exportKey("raw", await importSecret(vectorSecret))).rejects.toThrow(/extractable/);
  });
});

describe("the card", () => {
  test("M6 visitors log in first and come back, and receive no device", async () => {
    const page = await ours.get("/digital-id");
    expect(page.status).toBe(302);
    expect(page.headers.get("location")).toBe("/login?next=%2Fdigital-id");
    expect((await handOut(ours, null)).status).toBe(401);
  });

  test("M6 a verified member sees name and number, and no cache stores them", async () => {
    const ada = await newMember(ours, "Ada Lovelace");
    const page = await ours.get("/digital-id", { member: ada });
    const text = textOf(await page.text());
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(text).toContain("Ada Lovelace");
    const { member_number } = await db
      .selectFrom("members")
      .select("member_number")
      .where("id", "=", ada.id)
      .executeTakeFirstOrThrow();
    expect(text.replaceAll(" ", "")).toContain(member_number);
  });

  test.each([
    ["unverified", "Prove your membership"],
    ["submitted", "We are looking at your proof"],
    ["rejected", "See why, and try again"],
    ["lapsed", "Renew your membership"],
  ])("M6 a member who is %s gets no card but a next step", async (verification, words) => {
    const member = await newMember(ours, "Nobody Yet", verification);
    const html = await (await ours.get("/digital-id?show=code", { member })).text();
    expect(textOf(html)).toContain(words);
    expect(html).toContain('href="/verification"');
    expect(html).not.toMatch(/id-card|code-panel/);
    expect((await handOut(ours, member)).status).toBe(403);
  });

  test("M4 a member who renews keeps the card until there is a decision", async () => {
    const member = await newMember(ours, "Ada Renewing");
    await db
      .updateTable("members")
      .set({ verified_until: new Date(NOW.getTime() - 86_400_000) })
      .where("id", "=", member.id)
      .execute();
    expect(answerOf((await check(ours, await codeOf(ours, member))).html)).toBe("Valid");
  });

  test("P8 without script the page has a code from the server that is valid for its step, and a link to the next", async () => {
    const ada = await newMember(ours, "Ada Still");
    const html = await (await ours.get("/digital-id?show=code", { member: ada })).text();
    const code = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(textOf(html))?.[0] ?? "";
    expect(html).toContain('href="/digital-id?show=code#code"');
    expect(answerOf((await check(ours, code)).html)).toBe("Valid");
    expect(await codeOf(ours, ada)).toBe(code.replaceAll("-", ""));
  });

  test("S1 B4 nobody gets another member's card, neither with a session of their own nor with another brand's", async () => {
    const ada = await newMember(ours, "Ada Sentinel");
    const eve = await newMember(ours, "Eve Other");
    const mallory = await newMember(theirs, "Mallory Elsewhere");
    const first = await codeOf(ours, ada);
    expect((await codeOf(ours, eve)).slice(0, 6)).not.toBe(first.slice(0, 6));
    // Others' own sessions; hers at another brand; another's identity on her session.
    for (const [club, member] of [
      [ours, eve],
      [theirs, mallory],
      [theirs, ada],
      [ours, { ...eve, sessionId: ada.sessionId }],
    ] as const) {
      expect(await (await club.get("/digital-id", { member })).text()).not.toContain(`>${ada.name}<`);
      expect(await (await handOut(club, member)).text()).not.toContain(first.slice(0, 6));
    }
    expect((await handOut(ours, { ...ada, sessionId: eve.sessionId })).status).toBe(403);
  });

  test("S1 only our own pages receive a device", async () => {
    const ada = await newMember(ours, "Ada Csrf");
    expect((await ours.get("/digital-id/device", { member: ada })).status).toBe(404);
    const answer = await handOut(ours, ada);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("the check page", () => {
  test("M6 the page shows valid or not valid, brand and time, and nothing of the member", async () => {
    const ada = await newMember(ours, "Ada Private");
    const { html, response } = await check(ours, await codeOf(ours, ada));
    expect(answerOf(html)).toBe("Valid");
    expect(html).toContain(ours.brand.name);
    const row = await db.selectFrom("members").selectAll().where("id", "=", ada.id).executeTakeFirstOrThrow();
    for (const secret of [row.name, row.email, row.member_number, row.id]) expect(html).not.toContain(secret);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toMatch(/<script/);
  });

  test("S1 unknown, forged, expired and revoked codes, and another brand's, get the same page", async () => {
    const ada = await newMember(ours, "Ada Over");
    const code = await codeOf(ours, ada);
    const strange = await codeOf(theirs, await newMember(theirs, "Mallory"));
    const old = await codeOf(ours, ada, new Date(now.getTime() - 90_000));
    const early = await codeOf(ours, ada, new Date(now.getTime() + 90_000));
    const gone = await newMember(ours, "Gone");
    const goneCode = await codeOf(ours, gone);
    await db.deleteFrom("member_sessions").where("id", "=", gone.sessionId).execute();
    const pages = new Set<string>();
    for (const wrong of [
      `${code.slice(0, 11)}${code.endsWith("0") ? "1" : "0"}`,
      "K7Q29MXA4TBD",
      "x",
      "'--",
      strange,
      old,
      early,
      goneCode,
    ]) {
      const { html, response } = await check(ours, wrong);
      expect(response.status).toBe(200);
      expect(answerOf(html)).toBe("Not valid");
      pages.add(html);
    }
    expect(pages.size).toBe(1);
  });

  test("M6 a screenshot is invalid a minute later", async () => {
    const ada = await newMember(ours, "Ada Shot");
    const code = await codeOf(ours, ada);
    try {
      expect(answerOf((await check(ours, code)).html)).toBe("Valid");
      now = new Date(NOW.getTime() + 60_000);
      expect(answerOf((await check(ours, code)).html)).toBe("Not valid");
    } finally {
      now = NOW;
    }
  });

  test("M6 the page accepts a typed code, and asks for one where there is none", async () => {
    const code = await codeOf(ours, await newMember(ours, "Ada Typed"));
    const typed = `${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)}`.toLowerCase();
    expect(answerOf((await check(ours, typed)).html)).toBe("Valid");
    const { html: blank } = await check(ours, " ");
    expect(answerOf(blank)).toBe("Check a digital ID");
    expect(blank, "M3 nothing typed is said as in every form").toMatch(
      /Code<span[^>]*> \*\*<[\s\S]*\*\* This is a required field/,
    );
    expect(answerOf(await (await ours.get("/check")).text())).toBe("Check a digital ID");
  });
});

describe("pages for when there is no connection", () => {
  test.each(["/digital-id/offline", "/offline"])("S1 %s contains nothing personal, whoever asks", async (path) => {
    const ada = await newMember(ours, "Ada Kept");
    const html = await (await ours.get(path)).text();
    expect(html).not.toContain("Ada Kept");
    const { id } = ada;
    expect(html).not.toContain(id);
  });

  test("M6 logging out tells the browser to delete what it stored", async () => {
    const answer = await ours.post("/logout", {}, { member: await newMember(ours, "Ada Leaving") });
    expect(answer.headers.get("clear-site-data")).toBe('"storage"');
  });
});
