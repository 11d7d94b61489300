import { notePasskeyUse } from "@farthing/core/sign-in/passkeys.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { hiddenField, loadSite } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccountsClub, type AccountsClub, type Browser } from "./club.testing.ts";
import { softAuthenticator } from "./soft-authenticator.testing.ts";

const { db } = await testDatabase();
loadSite();

const clock = { now: new Date() };
const later = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
const club = await openAccountsClub(db, clock);
const neighbour = await openAccountsClub(db, clock);
const page = "/profile/security/passkeys";

const siteOf = ({ brand }: AccountsClub) => ({
  rpId: `${brand.slug}.localhost`,
  origin: `http://${brand.slug}.localhost`,
});

/** Returns the options of a page, as its script reads them. */
async function question(at: AccountsClub, member: Awaited<ReturnType<Browser["member"]>> = null, isNew = false) {
  const visit = { requestId: "t", brand: at.brand, member, nonce: "n", origin: siteOf(at).origin };
  const { optionsJson, challenge } = isNew
    ? await at.accounts.prepareNewPasskey(visit)
    : at.accounts.askForPasskey(visit);
  return {
    signed: challenge,
    asked: { challenge: (JSON.parse(optionsJson) as { challenge: string }).challenge, ...siteOf(at) },
  };
}

async function loggedIn(at = club) {
  const { id, email } = await at.newMember();
  const browser = at.browser();
  await browser.post("/login", { email, password: testPassword });
  return { id, email, browser };
}

async function withPasskey(at = club) {
  const account = await loggedIn(at);
  const device = softAuthenticator();
  const { signed, asked } = await question(at, await account.browser.member(), true);
  const form = { intent: "add", name: "My phone", challenge: signed, answer: device.create(asked) };
  expect((await account.browser.post(page, form)).status).toBe(303);
  return { ...account, device };
}

const logIn = (challenge: string, answer: string, browser = club.browser(), next = "/favourites") =>
  browser.post("/login/passkey", { challenge, answer, next });
const refused = "/login?note=passkey-refused&next=%2Ffavourites";

describe("M2 passkeys", () => {
  test("M2 an added passkey logs in without a password and without the second step, and its owner is told of it by mail", async () => {
    const { id, email, device } = await withPasskey();
    await db
      .insertInto("member_second_factors")
      .values({ member_id: id, secret: "x", enabled_at: new Date(), created_at: new Date() })
      .execute();
    const { signed, asked } = await question(club);
    const browser = club.browser();
    const login = await logIn(signed, device.get(asked), browser);
    expect(login.headers.get("Location")).toBe("/favourites");
    expect((await browser.member())?.id).toBe(id);
    expect(await club.mailCount("passkey-added", email)).toBe(1);
  });

  test("M2 the login page has a new challenge each time, and lets the browser offer passkeys in the e-mail field", async () => {
    const html = await (await club.browser().get("/login")).text();
    expect(html).toMatch(/autoComplete="username webauthn"/i);
    expect((await question(club)).signed).not.toBe((await question(club)).signed);
    const other = await (await club.browser().get("/login")).text();
    expect(hiddenField(html, "challenge")).not.toBe(hiddenField(other, "challenge"));
  });

  test("S1 an answer logs in once: a replay is refused, also at the same time", async () => {
    const { device } = await withPasskey();
    const { signed, asked } = await question(club);
    const answer = device.get(asked);
    const outcomes = await Promise.all([logIn(signed, answer), logIn(signed, answer)]);
    expect(outcomes.map(({ headers }) => headers.get("Location"))).toEqual(
      expect.arrayContaining(["/favourites", refused]),
    );
    expect((await logIn(signed, answer)).headers.get("Location")).toBe(refused);
  });

  test("S1 an answer to a challenge that has expired, was changed, or was made for another page, another brand or by another key is refused", async () => {
    const { device, browser } = await withPasskey();
    const here = await question(club);
    const abroad = await question(neighbour);
    const again = await question(club, await browser.member());
    for (const [signed, asked] of [
      [`${here.signed}x`, here.asked],
      ["", here.asked],
      [
        here.signed.replace(/^.{5}/, "AAAAA"),
        { ...here.asked, challenge: here.asked.challenge.replace(/^.{5}/, "AAAAA") },
      ],
      [abroad.signed, { ...abroad.asked, ...siteOf(club) }],
      [again.signed, again.asked],
    ] as const)
      expect((await logIn(signed, device.get(asked))).headers.get("Location")).toBe(refused);
    later(61);
    expect((await logIn(here.signed, device.get(here.asked))).headers.get("Location")).toBe(refused);
  });

  test("S1 an answer from another origin, for another host, without user verification, or signed by another key is refused", async () => {
    const { device } = await withPasskey();
    const stranger = softAuthenticator();
    const answers = [
      (asked: Parameters<typeof device.get>[0]) => device.get({ ...asked, origin: "https://evil.example" }),
      (asked: Parameters<typeof device.get>[0]) => device.get({ ...asked, rpId: "evil.example" }),
      (asked: Parameters<typeof device.get>[0]) => device.get(asked, { isVerified: false }),
      (asked: Parameters<typeof device.get>[0]) => stranger.get(asked, { asId: device.id }),
      (asked: Parameters<typeof device.get>[0]) => stranger.get(asked),
      () => "{}",
      () => "null",
      () => "not json",
      () => `{"id":${"[".repeat(5000)}`,
      () => JSON.stringify({ id: device.id, response: { clientDataJSON: "x" } }),
    ];
    for (const answer of answers) {
      await db.deleteFrom("login_tries").execute();
      const { signed, asked } = await question(club);
      expect((await logIn(signed, answer(asked))).headers.get("Location")).toBe(refused);
    }
  });

  test.each([
    ["a text", "abc", []],
    ["a number", 5, []],
    ["an object", {}, []],
    ["null", null, []],
    ["a list of anything", [null, 1, "usb", "NO!", ["ble"]], ["usb"]],
  ])("M2 S2 transports that are %s do not keep a passkey from being added", async (_, sent, kept) => {
    const account = await loggedIn(club);
    const { signed, asked } = await question(club, await account.browser.member(), true);
    const answer = JSON.parse(softAuthenticator().create(asked)) as { response: { transports: unknown } };
    answer.response.transports = sent;
    const form = { intent: "add", name: "My phone", challenge: signed, answer: JSON.stringify(answer) };
    expect((await account.browser.post(page, form)).status).toBe(303);
    const stored = await db
      .selectFrom("member_passkeys")
      .select("transports")
      .where("member_id", "=", account.id)
      .execute();
    expect(stored).toEqual([{ transports: kept }]);
  });

  test("S1 of two uses with the same count at the same time one is a copy's; a passkey that does not count has none", async () => {
    const { id: memberId } = await withPasskey();
    const { id } = await db
      .selectFrom("member_passkeys")
      .select("id")
      .where("member_id", "=", memberId)
      .executeTakeFirstOrThrow();
    const use = (counter: number) => notePasskeyUse(db, { id, counter, now: new Date() });
    expect((await Promise.all([use(7), use(7)])).toSorted()).toEqual([false, true]);
    expect([await use(6), await use(8)]).toEqual([false, true]);
    await db.updateTable("member_passkeys").set({ counter: 0 }).where("id", "=", id).execute();
    expect(await Promise.all([use(0), use(0)])).toEqual([true, true]);
  });

  test("S1 a copy of a passkey with a lower counter is refused", async () => {
    const { device } = await withPasskey();
    const first = await question(club);
    await logIn(first.signed, device.get(first.asked));
    device.goBack();
    const second = await question(club);
    expect((await logIn(second.signed, device.get(second.asked))).headers.get("Location")).toBe(refused);
  });

  test("B4 a passkey of one brand does not log in at another, not even by its id", async () => {
    const { device } = await withPasskey();
    const { signed, asked } = await question(neighbour);
    const answer = await logIn(signed, device.get(asked), neighbour.browser());
    expect(answer.headers.get("Location")).toBe(refused);
  });

  test("S1 a suspended member's passkey is refused", async () => {
    const { id, device } = await withPasskey();
    await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", id).execute();
    const { signed, asked } = await question(club);
    expect((await logIn(signed, device.get(asked))).headers.get("Location")).toBe(refused);
  });

  test("S1 a passkey re-authenticates its own member only", async () => {
    const mine = await withPasskey();
    const theirs = await withPasskey();
    later(31);
    expect((await mine.browser.get(page)).headers.get("Location")).toContain("/login/again");
    const wrong = await question(club, await mine.browser.member());
    const refusal = await mine.browser.post("/login/again", {
      challenge: wrong.signed,
      answer: theirs.device.get(wrong.asked),
      next: page,
    });
    expect(refusal.status).toBe(401);
    const right = await question(club, await mine.browser.member());
    await mine.browser.post("/login/again", {
      challenge: right.signed,
      answer: mine.device.get(right.asked),
      next: page,
    });
    expect((await mine.browser.get(page)).status).toBe(200);
  });
});

describe("M2 a member's own passkeys", () => {
  const idOf = async (memberId: string) =>
    (await db.selectFrom("member_passkeys").select("id").where("member_id", "=", memberId).executeTakeFirstOrThrow())
      .id;

  test("M2 a passkey can be named, renamed and removed; a removed one is refused", async () => {
    const { id, browser, device } = await withPasskey();
    const passkey = await idOf(id);
    await browser.post(page, { intent: "rename", passkey, name: "  Work laptop  " });
    expect(await (await browser.get(page)).text()).toContain("Work laptop");
    await browser.post(page, { intent: "remove", passkey });
    const { signed, asked } = await question(club);
    expect((await logIn(signed, device.get(asked))).headers.get("Location")).toBe(refused);
  });

  test("B4 S1 changing another member's passkey, another brand's or an unknown one is 404, and it stays", async () => {
    const mine = await loggedIn();
    const [theirs, abroad] = [await withPasskey(), await withPasskey(neighbour)];
    for (const passkey of [await idOf(theirs.id), await idOf(abroad.id), "nonsense", ""])
      for (const intent of ["rename", "remove"])
        expect((await mine.browser.post(page, { intent, passkey, name: "Mine now" })).status).toBe(404);
    const { signed, asked } = await question(club);
    expect((await logIn(signed, theirs.device.get(asked))).headers.get("Location")).toBe("/favourites");
  });

  test("S1 a challenge for one member adds no passkey to another's account", async () => {
    const [mine, theirs] = [await loggedIn(), await loggedIn()];
    const { signed, asked } = await question(club, await theirs.browser.member(), true);
    const answer = softAuthenticator().create(asked);
    expect((await mine.browser.post(page, { intent: "add", name: "x", challenge: signed, answer })).status).toBe(400);
  });

  test("S1 a device without user verification, and a passkey that has an owner already, are refused", async () => {
    const { browser } = await loggedIn();
    const unverified = await question(club, await browser.member(), true);
    const weak = softAuthenticator().create(unverified.asked, { isVerified: false });
    expect(
      (await browser.post(page, { intent: "add", name: "x", challenge: unverified.signed, answer: weak })).status,
    ).toBe(400);
    const { device } = await withPasskey();
    const { signed, asked } = await question(club, await browser.member(), true);
    expect(
      (await browser.post(page, { intent: "add", name: "x", challenge: signed, answer: device.create(asked) })).status,
    ).toBe(400);
  });
});
