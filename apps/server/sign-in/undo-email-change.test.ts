import { offerMemberTypes } from "@farthing/core/registration/registration.testing.ts";
import { insertMember } from "@farthing/core/testing/insert-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { openRegistration, stepOne } from "@farthing/site/app/routes/registration/registration.testing.ts";
import { loadSite } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { DAY_MINUTES, EMAILS_PAGE, NEW_PASSWORD, newAddress, openRecoveryClub } from "./recovery-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, clock, later, logIn, opens, linkTo, forget, reset, add, change } = await openRecoveryClub(db);
const { details } = await openRegistration(db);
await offerMemberTypes(db, club.brand.id, ["education"]);

describe("S1 a thief's link to another address", () => {
  test.each([
    [
      "a password reset",
      async (owner: { email: string }) => {
        await forget(owner.email);
        await reset(await linkTo("reset-password", owner.email));
      },
    ],
    [
      "signing out everywhere",
      async (owner: { email: string }) => {
        await (await logIn(owner.email)).post("/profile/security", { intent: "end-all" });
      },
    ],
  ])("S1 that is pending opens nothing after %s, and takes nothing over", async (_, recover) => {
    const owner = await club.newMember();
    const thief = await logIn(owner.email);
    const address = newAddress();
    await thief.post(EMAILS_PAGE, { intent: "add", email: address });
    const token = await linkTo("add-email", address);
    await recover(owner);
    expect((await club.browser().post("/confirm-email", { token })).status).toBe(410);
    await forget(address);
    expect(await club.mailCount("reset-password", address)).toBe(0);
  });
});

describe("S1 the undo of a thief's change", () => {
  test("S1 ends the password that the thief has set", async () => {
    const owner = await club.newMember();
    const thief = await logIn(owner.email);
    const address = newAddress();
    await add(thief, address);
    await change(thief, "make-main", address);
    const passwords = { present_password: testPassword, password: "Thiefs-own-2026" };
    await thief.post("/profile/security/password", { ...passwords, password_confirmation: "Thiefs-own-2026" });
    const undone = await club
      .browser()
      .post("/undo-email-change", { token: await linkTo("email-changed", owner.email) });
    expect(undone.status).toBe(200);
    for (const email of [owner.email, address])
      for (const password of [testPassword, "Thiefs-own-2026"]) expect(await opens(email, password)).toBe(false);
    await reset(await linkTo("reset-password", owner.email));
    expect(await opens(owner.email, NEW_PASSWORD)).toBe(true);
  });

  test("S1 removes an address that was planted weeks before", async () => {
    const owner = await club.newMember();
    const [planted, taken] = [newAddress(), newAddress()];
    await add(await logIn(owner.email), planted);
    later(35 * DAY_MINUTES);
    const thief = await logIn(planted);
    await add(thief, taken);
    await change(thief, "make-main", taken);
    await club.browser().post("/undo-email-change", { token: await linkTo("email-changed", owner.email) });
    const left = await db.selectFrom("member_emails").select("email").where("member_id", "=", owner.id).execute();
    expect(left).toEqual([{ email: owner.email }]);
    await forget(planted);
    expect(await club.mailCount("reset-password", planted)).toBe(0);
  });

  test("S1 keeps an address that was the main one before the address of the undo", async () => {
    const owner = await club.newMember();
    const [home, stolen] = [newAddress(), newAddress()];
    const browser = await logIn(owner.email);
    await add(browser, home);
    await change(browser, "make-main", home);
    later(30 * DAY_MINUTES);
    const thief = await logIn(home);
    await add(thief, stolen);
    await change(thief, "make-main", stolen);
    await club.browser().post("/undo-email-change", { token: await linkTo("email-changed", home) });
    const left = await db.selectFrom("member_emails").select("email").where("member_id", "=", owner.id).execute();
    expect(left.map(({ email }) => email).sort()).toEqual([home, owner.email].sort());
  });

  test("S1 works for an address that was removed, and cancels a closure that the thief requested", async () => {
    const owner = await club.newMember();
    const thief = await logIn(owner.email);
    const address = newAddress();
    await add(thief, address);
    await change(thief, "make-main", address);
    await change(thief, "remove", owner.email);
    const asked = await thief.post("/profile/privacy/close", { intent: "close", sure: "yes", pending: "give-up" });
    expect(asked.status).toBe(303);
    const undone = await club
      .browser()
      .post("/undo-email-change", { token: await linkTo("email-changed", owner.email) });
    expect(undone.status).toBe(200);
    const closures = db.selectFrom("closures").select("state").where("member_id", "=", owner.id);
    expect(await closures.execute()).toEqual([{ state: "cancelled" }]);
  });
});

describe("S1 an address that a thief planted gets no undo link when the owner removes it", () => {
  /** Returns whether the address was ever sent an undo link. */
  const hasWayBack = async (email: string) =>
    (await club.mailPaths("email-changed", email)).some((path) => path !== undefined);

  test.each([
    ["was only added, and the owner has a new address since", false, ["new"]],
    ["was the main one for a day, and the owner's first comes back", true, ["first"]],
    ["was the main one for a day, and the owner moves on to a new address", true, ["new"]],
    ["was the main one for a day, and the owner's first goes before it does", true, ["first", "new", "drop first"]],
  ])("S1 one that %s", async (_, wasMain, steps) => {
    const owner = await club.newMember();
    const [planted, next] = [newAddress(), newAddress()];
    const thief = await logIn(owner.email);
    await add(thief, planted);
    if (wasMain) await change(thief, "make-main", planted);
    later(wasMain ? DAY_MINUTES : 35 * DAY_MINUTES);
    const browser = await logIn(owner.email);
    for (const step of steps) {
      if (step === "first") await change(browser, "make-main", owner.email);
      if (step === "new") {
        await add(browser, next);
        await change(browser, "make-main", next);
      }
      if (step === "drop first") await change(browser, "remove", owner.email);
    }
    await change(browser, "remove", planted);
    expect(await club.mailCount("email-changed", planted), "it hears of it").toBeGreaterThan(0);
    expect(await hasWayBack(planted)).toBe(false);
    expect(await hasWayBack(owner.email)).toBe(true);
  });
});

describe("S1 an address that was removed, while its undo link is valid", () => {
  /** A thief's steps up to the removal. */
  async function taken() {
    const owner = await club.newMember();
    const thief = await logIn(owner.email);
    const address = newAddress();
    await add(thief, address);
    await change(thief, "make-main", address);
    await change(thief, "remove", owner.email);
    return { owner, thief };
  }

  /** Registers in a browser of its own. Returns the answers, which are the same for every address. */
  async function register(email: string) {
    const browser = club.browser();
    const answers = [await browser.post("/register", stepOne(email))];
    answers.push(await browser.post("/register/details", await details()));
    const page = await (await browser.get("/register/sent")).text();
    return [...answers.map(({ status, headers }) => [status, headers.get("Location")]), page.replaceAll(email, "…")];
  }

  const undo = async (email: string) =>
    (await club.browser().post("/undo-email-change", { token: await linkTo("email-changed", email) })).status;

  const mainOf = async ({ id }: { id: string }) =>
    (await db.selectFrom("members").select("email").where("id", "=", id).executeTakeFirstOrThrow()).email;

  const noticesTo = async (email: string) =>
    (
      await db
        .selectFrom("mails")
        .select("data")
        .where("recipient", "=", email)
        .where("kind", "=", "already-registered")
        .execute()
    ).map(({ data }) => data);

  test("S1 can't be registered, and the link works: the mailbox is told until when, and the page says what it says of any address", async () => {
    const { owner } = await taken();
    const heldUntil = new Date(clock.now.getTime() + 7 * DAY_MINUTES * 60_000).toISOString();
    expect(await register(owner.email)).toEqual(await register(newAddress()));
    expect(await noticesTo(owner.email)).toEqual([{ heldUntil }]);
    expect(await undo(owner.email)).toBe(200);
    expect(await mainOf(owner)).toBe(owner.email);
    await register(owner.email);
    expect((await noticesTo(owner.email)).at(-1), "it is the owner's again").toEqual({});
  });

  test("S1 can't be added to another account", async () => {
    const { owner } = await taken();
    const other = await logIn((await club.newMember()).email);
    await other.post(EMAILS_PAGE, { intent: "add", email: owner.email });
    expect(await club.mailCount("add-email", owner.email)).toBe(0);
    expect(await noticesTo(owner.email)).toHaveLength(1);
  });

  test("M2 can be added again by its member, and registered once the link has expired", async () => {
    const [back, free] = [await taken(), await taken()];
    await add(back.thief, back.owner.email);
    later(7 * DAY_MINUTES);
    await register(free.owner.email);
    expect(await club.mailCount("confirm-email", free.owner.email)).toBe(1);
  });

  test("S1 that another account has all the same, is not taken from it, and the link is not spent", async () => {
    const { owner } = await taken();
    const other = await insertMember(db, { brandId: club.brand.id, email: owner.email });
    expect(await undo(owner.email)).toBe(410);
    expect(await mainOf(other)).toBe(owner.email);
    await db.updateTable("members").set({ email: newAddress() }).where("id", "=", other.id).execute();
    await db.deleteFrom("member_emails").where("email", "=", owner.email).execute();
    expect(await undo(owner.email)).toBe(200);
    expect(await mainOf(owner)).toBe(owner.email);
  });
});
