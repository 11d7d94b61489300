import type { Brand } from "@farthing/core/brands/brand.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { insertOwner, operatorCookieOf } from "../attacks/operator.testing.ts";
import { newAddress, realServer, type Answer } from "../attacks/real-server.testing.ts";
import { openSession } from "../attacks/sessions.testing.ts";
import { insertMemberWithPassword, testPassword } from "../sign-in/accounts.testing.ts";
import { PasswordHashing } from "../sign-in/password-hashing.ts";

// Who looks into an attack reads these lines (OWASP ASVS 5.0, 16.3).

const lines: Record<string, unknown>[] = [];
const server = await realServer({
  hasAdmin: true,
  onLogLine: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
});
const host = "one.test";
const email = "ada.lovelace@example.org";
const WRONG = "Marigold-Kettle-7";
let brand: Brand;
let memberId = "";
beforeAll(async () => {
  brand = await insertBrand(server.db, { slug: "one", isDefault: true });
  memberId = await insertMemberWithPassword(server.db, brand, email);
});

/** The lines about a request: `sign-in`, and the request's own. */
const linesOf = ({ headers }: Answer, msg: string) =>
  lines.filter((line) => line["requestId"] === headers["x-request-id"] && line["msg"] === msg);
const cookieOf = ({ cookies }: Answer) => cookies.map((line) => line.split(";")[0]).join("; ");

describe("S1 what the log says of signing in", () => {
  test("S1 a member's tries, right and wrong, with factor and outcome, and who it was once that is proved", async () => {
    const logIn = (password: string) => server.post("/login", { host, form: { email, password }, from: newAddress() });
    expect(linesOf(await logIn(WRONG), "sign-in")).toEqual([
      expect.objectContaining({ level: "warn", factor: "password", outcome: "refused", brand: "one" }),
    ]);
    const right = await logIn(testPassword);
    expect(right.status).toBe(303);
    expect(linesOf(right, "sign-in")).toEqual([
      expect.objectContaining({
        level: "info",
        factor: "password",
        outcome: "logged-in",
        brand: "one",
        member: memberId,
      }),
    ]);
  });

  test("S1 a member who confirms who they are", async () => {
    const { cookie } = await openSession(server, { brand, memberId });
    const answer = await server.post("/login/again", { host, cookie, form: { password: WRONG } });
    expect(linesOf(answer, "sign-in")).toEqual([
      expect.objectContaining({ factor: "password", outcome: "refused", again: true }),
    ]);
  });

  test("S1 an operator's tries, and who it is once the password was right", async () => {
    const id = await insertOwner(server.db, "grace.hopper@club.example");
    const password = await new PasswordHashing().hash(testPassword);
    await server.db.updateTable("operators").set({ password }).where("id", "=", id).execute();
    const signIn = (form: Record<string, string>) => server.post("/admin/sign-in", { host, form, from: newAddress() });
    const wrong = await signIn({ email: "grace.hopper@club.example", password: WRONG });
    expect(linesOf(wrong, "sign-in")).toEqual([expect.objectContaining({ factor: "password", outcome: "refused" })]);
    const right = await signIn({ email: "grace.hopper@club.example", password: testPassword });
    expect(linesOf(right, "sign-in")).toEqual([expect.objectContaining({ factor: "password", outcome: "step" })]);
    const code = await server.post("/admin/sign-in/set-up", {
      host,
      cookie: cookieOf(right),
      form: { code: "000000" },
    });
    expect(linesOf(code, "sign-in")).toEqual([
      expect.objectContaining({ level: "warn", factor: "code", outcome: "refused", operator: id }),
    ]);
  });

  test("S1 what a member or an operator may not do is in the request's line with their id", async () => {
    const { cookie } = await openSession(server, { brand, memberId });
    const foreign = await server.raw("POST", "/profile/security", {
      host,
      headers: { cookie, "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" },
    });
    expect(linesOf(foreign, "request")).toEqual([expect.objectContaining({ route: "/profile/security", status: 403 })]);
    const others = await server.post("/profile/security", {
      ...{ host, cookie, form: { intent: "end-session", session: "0199f3c2-0000-7000-8000-000000000001" } },
    });
    expect(linesOf(others, "request")).toEqual([
      expect.objectContaining({ route: "/profile/security", status: 404, brand: "one", member: memberId }),
    ]);
    const id = await insertOwner(server.db, "support@club.example");
    await server.db.updateTable("operators").set({ role: "support" }).where("id", "=", id).execute();
    const closed = await server.get("/admin/operators", { host, cookie: await operatorCookieOf(server.db, id) });
    expect(closed.status).toBe(403);
    expect(linesOf(closed, "request")).toEqual([
      expect.objectContaining({ route: "/admin/*", status: 403, operator: id }),
    ]);
  });

  test("S1 no line holds what was typed", () => {
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toMatch(/lovelace|grace\.hopper|Marigold|Farthing-2026|000000/i);
  });
});
