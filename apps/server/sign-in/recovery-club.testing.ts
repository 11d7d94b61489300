import { createHash, randomBytes } from "node:crypto";
import { startEmailConfirmation } from "@farthing/core/sign-in/email-confirmation.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { beforeEach, expect } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccountsClub, tokenOf, type Browser } from "./club.testing.ts";

export const EMAILS_PAGE = "/profile/security/emails";
export const NEW_PASSWORD = "Owners-own-2026";
export const DAY_MINUTES = 24 * 60;

let addresses = 0;
export const newAddress = () => `elsewhere-${(addresses += 1)}@home.example`;

/** Opens a club whose members lose their accounts and recover them. Each test starts without counted attempts. */
export async function openRecoveryClub(db: Db) {
  const clock = { now: new Date("2026-11-20T10:00:00Z") };
  const later = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
  const club = await openAccountsClub(db, clock);

  beforeEach(async () => {
    await db.deleteFrom("login_tries").execute();
  });

  const logIn = async (email: string, password = testPassword) => {
    const browser = club.browser();
    await browser.post("/login", { email, password });
    return browser;
  };
  const opens = async (email: string, password = testPassword) =>
    (await (await logIn(email, password)).member()) !== null;
  const idOf = async (email: string) =>
    (await db.selectFrom("member_emails").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;
  const linkTo = async (kind: string, to: string) => tokenOf((await club.mailPaths(kind, to))[0]);
  const forget = (email: string) => club.browser().post("/forgotten-password", { email });
  const reset = (token: string, password = NEW_PASSWORD) =>
    club.browser().post("/reset-password", { token, password, password_confirmation: password });
  async function add(browser: Browser, email: string): Promise<void> {
    expect((await browser.post(EMAILS_PAGE, { intent: "add", email })).status).toBe(200);
    const confirmed = await club.browser().post("/confirm-email", { token: await linkTo("add-email", email) });
    expect(confirmed.status).toBe(200);
  }
  const change = async (browser: Browser, intent: "make-main" | "remove", email: string) =>
    expect((await browser.post(EMAILS_PAGE, { intent, address: await idOf(email) })).status).toBe(303);

  /** Registers a member who has not confirmed yet. Returns them with the cookies of the browser that registered. */
  async function registered({ browserToken = randomBytes(32).toString("base64url") } = {}) {
    const member = await club.newMember(newAddress());
    await db.updateTable("members").set({ email_verified: false }).where("id", "=", member.id).execute();
    await db.updateTable("member_emails").set({ verified_at: null }).where("member_id", "=", member.id).execute();
    const browserHash = createHash("sha256").update(browserToken).digest("base64url");
    const asked = { brandId: club.brand.id, memberId: member.id, email: member.email, browserHash, now: clock.now };
    await startEmailConfirmation(db, asked);
    return { ...member, browserToken, token: await linkTo("confirm-email", member.email) };
  }

  const visit = () => ({
    requestId: "test",
    brand: club.brand,
    member: null,
    nonce: "n",
    origin: `http://${club.brand.slug}.localhost`,
  });
  return { club, clock, later, logIn, opens, idOf, linkTo, forget, reset, add, change, registered, visit };
}
