import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import type { LogInResult } from "../../../server/account-services.ts";
import { hiddenField, loadSite, openClub, tag, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

const credentials = { email: "ada@example.org", password: "Farthing-2026" };
const loggedIn = (): LogInResult => ({
  outcome: "logged-in",
  memberId: "ada",
  headers: new Headers({ "Set-Cookie": "session=abc; HttpOnly" }),
});

describe("logging in", () => {
  test("M2 P8 Z4 the form works without script, and password managers know its fields", async () => {
    const club = await openClub(db);
    const html = await (await club.get("/login?next=%2Fretailers")).text();
    expect(tag(html, "form", 'action="/login"')).toMatch(/method="post"/);
    expect(html).toContain('<label for="email">Email</label>');
    expect(tag(html, "input", 'id="email"')).toMatch(/type="email".*autoComplete="username webauthn"/i);
    expect(html).toContain('<label for="password">Password</label>');
    expect(tag(html, "input", 'id="password"')).toMatch(/type="password".*autoComplete="current-password"/i);
    expect(hiddenField(html, "next")).toBe("/retailers");
  });

  test("M2 the right password sets the session's cookie and redirects to next", async () => {
    const club = await openClub(db, { logIn: loggedIn() });
    const response = await club.post("/login", { ...credentials, next: "/offers/x?offer=1" });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/offers/x?offer=1");
    expect(response.headers.get("Set-Cookie")).toContain("session=abc");
  });

  test.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/login",
    "",
    "/\t/evil.example",
  ])("S1 next=%j leads to the profile", async (next) => {
    const club = await openClub(db, { logIn: loggedIn() });
    const response = await club.post("/login", { ...credentials, next });
    expect(response.headers.get("Location")).toBe("/profile");
    const html = await (await club.get(`/login?next=${encodeURIComponent(next)}`)).text();
    expect(hiddenField(html, "next")).toBe("/profile");
  });

  test("S1 a refusal is 401, does not say which of the two was wrong, and keeps the e-mail but never the password", async () => {
    const club = await openClub(db);
    const response = await club.post("/login", { email: "ada@example.org", password: "Wrong-password-1", next: "/" });
    const html = await response.text();
    expect(response.status).toBe(401);
    expect(html).toMatch(/role="alert"/);
    expect(textOf(html)).toContain("That e-mail and password don’t match");
    expect(html).toContain('value="ada@example.org"');
    expect(html).not.toContain("Wrong-password-1");
    expect(response.headers.get("Cache-Control")).toContain("no-store");
  });

  test("S1 too many attempts are answered 429 with the time to wait", async () => {
    const club = await openClub(db, { logIn: { outcome: "slow-down", retryAfterSeconds: 120 } });
    const response = await club.post("/login", credentials);
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("120");
    expect(textOf(await response.text())).toContain("please wait 2 minutes");
  });

  test.each([
    ["nothing", { email: "", password: "" }, "** This is a required field"],
    ["no address", { email: "not an address", password: "x" }, "Enter your e-mail address"],
    ["no password", { email: "ada@example.org", password: "" }, "** This is a required field"],
    [
      "far too much",
      { email: `${"a".repeat(5000)}@example.org`, password: "x".repeat(5000) },
      "Enter your e-mail address",
    ],
  ])("M3 %s is reported at the field", async (_, form, words) => {
    const club = await openClub(db);
    const response = await club.post("/login", form);
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(textOf(html)).toContain(words);
    expect(html).toContain('aria-invalid="true"');
    expect(html, "marked at the label").toMatch(/<label for="(email|password)">(Email|Password)<span[^>]*> \*\*</);
    expect(html, "and listed").toMatch(/role="alert"[\s\S]*<a href="#(email|password)">/);
  });

  test("M2 a member who is signed in already is redirected", async () => {
    const club = await openClub(db);
    const response = await club.get("/login?next=%2Fretailers", { member: await club.newMember() });
    expect(response.headers.get("Location")).toBe("/retailers");
  });

  test("S1 a post from a foreign page is refused", async () => {
    const club = await openClub(db, { logIn: loggedIn() });
    const response = await club.post("/login", credentials, { headers: { Origin: "https://evil.example" } });
    expect(response.status).toBe(400);
    expect(response.headers.get("Set-Cookie")).toBeNull();
  });
});

describe("logging out", () => {
  test("M2 a post ends the session; a link does not", async () => {
    const club = await openClub(db);
    const member = await club.newMember();
    const response = await club.post("/logout", {}, { member });
    expect(response.status).toBe(303);
    expect(response.headers.get("Set-Cookie")).toContain("Max-Age=0");
    const get = await club.get("/logout", { member });
    expect(get.headers.get("Set-Cookie")).toBeNull();
  });

  test("Y5 it works from the page of a revealed code, which posts with Origin: null; from another site that is refused", async () => {
    const club = await openClub(db);
    const member = await club.newMember();
    expect(
      (await club.post("/logout", {}, { member, headers: { Origin: "null", "Sec-Fetch-Site": "same-origin" } })).status,
    ).toBe(303);
    expect(
      (await club.post("/logout", {}, { member, headers: { Origin: "null", "Sec-Fetch-Site": "cross-site" } })).status,
    ).toBe(400);
    expect((await club.post("/logout", {}, { member, headers: { Origin: "null" } })).status).toBe(400);
  });
});
