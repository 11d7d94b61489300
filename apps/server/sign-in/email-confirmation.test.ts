import { randomBytes } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { EMAILS_PAGE, NEW_PASSWORD, newAddress, openRecoveryClub } from "./recovery-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, logIn, opens, linkTo, registered } = await openRecoveryClub(db);

describe("S1 an address that somebody else registered", () => {
  test("S1 the button in the owner's browser does not confirm the thief's password, but asks the owner to choose one", async () => {
    const { email, token } = await registered();
    const owner = club.browser();
    const page = textOf(await (await owner.get(`/confirm-email?token=${token}`)).text());
    expect(page).toContain("You joined in another browser, so we ask for a password here.");
    expect((await owner.post("/confirm-email", { token })).status).toBe(400);
    expect(await owner.member()).toBeNull();
    expect((await logIn(email).then((browser) => browser.member())) === null, "the planted password").toBe(true);
    const link = await linkTo("confirm-email", email);
    const done = await owner.post("/confirm-email", {
      token: link,
      password: NEW_PASSWORD,
      password_confirmation: NEW_PASSWORD,
    });
    expect(done.status).toBe(303);
    expect((await owner.member())?.email).toBe(email);
    expect(await opens(email), "the planted password").toBe(false);
    expect(await opens(email, NEW_PASSWORD)).toBe(true);
    expect((await club.browser().post("/confirm-email", { token })).status, "no second link is left").toBe(410);
  });

  test("S1 M2 in the browser that registered, the button is enough", async () => {
    const { email, token, browserToken } = await registered();
    const browser = club.browser();
    browser.cookies.set("farthing_joining", browserToken);
    expect(textOf(await (await browser.get(`/confirm-email?token=${token}`)).text())).not.toContain(
      "Choose the password",
    );
    expect((await browser.post("/confirm-email", { token })).status).toBe(303);
    expect((await browser.member())?.email).toBe(email);
    expect(await opens(email)).toBe(true);
  });

  test("S1 a browser that registered another address, or the same one after the thief, has to choose a password", async () => {
    const [planted, other] = [await registered(), await registered()];
    for (const browserToken of [other.browserToken, randomBytes(32).toString("base64url"), "", "x"]) {
      const browser = club.browser();
      browser.cookies.set("farthing_joining", browserToken);
      expect((await browser.post("/confirm-email", { token: planted.token })).status).toBe(400);
    }
  });

  test("Y1 M3 a weak, common or mistyped password is refused there, and the link stays valid", async () => {
    const { token, email } = await registered();
    for (const [password, confirmation] of [
      ["short", "short"],
      ["Password1", "Password1"],
      [NEW_PASSWORD, "Quite-another-2027"],
      [`A-${email}`, `A-${email}`],
    ] as const) {
      const form = { token, password, password_confirmation: confirmation };
      expect((await club.browser().post("/confirm-email", form)).status, password).toBe(400);
    }
    const form = { token, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD };
    expect((await club.browser().post("/confirm-email", form)).status).toBe(303);
  });

  test("S1 a link to an additional address names the account that it would open", async () => {
    const stranger = await club.newMember();
    const address = newAddress();
    await (await logIn(stranger.email)).post(EMAILS_PAGE, { intent: "add", email: address });
    const page = await club.browser().get(`/confirm-email?token=${await linkTo("add-email", address)}`);
    expect(textOf(await page.text())).toContain("It will open the account of p•••@w•••.example");
  });
});
