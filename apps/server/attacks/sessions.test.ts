import { beforeAll, describe, expect, test } from "vitest";
import { testPassword, insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { cookieOf, newAddress, realServer, type Answer } from "./real-server.testing.ts";

const server = await realServer();
const { db } = server;
const one = await insertBrand(db, { slug: "one", isDefault: true });
const host = "one.test";
const email = "ada@one.test";
beforeAll(async () => {
  await insertMemberWithPassword(db, one, email);
});

const sessionIn = (cookie: string) => /farthing_session=([^;]+)/.exec(cookie)?.[1] ?? "";
const newCookie = (answer: Answer) => answer.cookies.map((line) => line.split(";")[0]).join("; ");
const logIn = () => cookieOf(server, { host, email, password: testPassword });
/** Whether a cookie is a member's: everyone else is sent to the login. */
const isIn = async (cookie: string) => {
  const { headers } = await server.get("/profile/details", { host, cookie });
  return !String(headers.location ?? "").startsWith("/login");
};

describe("sessions on the wire", () => {
  test("S1 every cookie of a login is HttpOnly, for this host only and not sent with foreign posts", async () => {
    const form = { email, password: testPassword };
    const { cookies } = await server.post("/login", { host, form, from: newAddress() });
    expect(cookies.some((line) => line.startsWith("farthing_session="))).toBe(true);
    for (const line of cookies) {
      const name = line.split("=")[0] ?? "";
      // The confetti cookie is for the page's script, once, and holds nothing personal.
      if (name !== "farthing_celebrate") expect(line, name).toMatch(/; HttpOnly/i);
      expect(line, name).toMatch(/; SameSite=(Lax|Strict)/i);
      expect(line, name).not.toMatch(/; Domain=/i);
    }
  });

  test("S1 fixation: a session planted before the login is replaced and ends", async () => {
    const planted = await logIn();
    const form = { email, password: testPassword };
    const answer = await server.post("/login", { host, form, cookie: planted, from: newAddress() });
    expect(sessionIn(newCookie(answer))).not.toBe(sessionIn(planted));
    expect(await isIn(planted)).toBe(false);
    const invented = await server.post("/login", {
      host,
      form,
      cookie: "farthing_session=mine.mine",
      from: newAddress(),
    });
    expect(sessionIn(newCookie(invented))).not.toContain("mine");
  });

  test("S1 a repeated login and a new password each replace the session and end the old one", async () => {
    const cookie = await logIn();
    const again = await server.post("/login/again", { host, cookie, form: { password: testPassword } });
    expect(sessionIn(newCookie(again))).not.toBe("");
    expect(await isIn(cookie)).toBe(false);
    const elsewhere = await logIn();
    const wanted = "Another-Password-2";
    const form = { present_password: testPassword, password: wanted, password_confirmation: wanted };
    const changed = await server.post("/profile/security/password", { host, cookie: newCookie(again), form });
    expect(await isIn(newCookie(changed))).toBe(true);
    expect({ here: await isIn(newCookie(again)), elsewhere: await isIn(elsewhere) }).toEqual({
      here: false,
      elsewhere: false,
    });
    const back = { present_password: wanted, password: testPassword, password_confirmation: testPassword };
    await server.post("/profile/security/password", { host, cookie: newCookie(changed), form: back });
  });

  test("S1 signing out everywhere ends every session, including this one", async () => {
    const cookies = [await logIn(), await logIn(), await logIn()];
    expect(await Promise.all(cookies.map(isIn))).toEqual([true, true, true]);
    await server.post("/profile/security", { host, cookie: cookies[0], form: { intent: "end-all" } });
    expect(await Promise.all(cookies.map(isIn))).toEqual([false, false, false]);
  });

  test("S1 B4 a public page never comes from a member's rendering", async () => {
    const name = "Ada Of-The-Header";
    await db.updateTable("members").set({ name }).where("email", "=", email).execute();
    const cookie = await logIn();
    for (const path of ["/", "/retailers", "/faq", "/search?q=shoes", "/partners"]) {
      const own = await server.get(path, { host, cookie });
      expect(own.text, path).toContain(name);
      expect(own.headers["cache-control"], path).toBe("private, no-store");
      for (const asking of [{ host }, { host, cookie: "theme=dark" }, { host }]) {
        const seen = await server.get(path, asking);
        expect(seen.status, path).toBe(200);
        expect(seen.whole, path).not.toContain(name);
      }
      expect((await server.get(path, { host, cookie })).text, `${path}, after strangers had it cached`).toContain(name);
    }
  });
});
