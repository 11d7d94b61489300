import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { makeShop, type ShopForTests } from "@farthing/core/clicks/clicks.testing.ts";
import { siteRoutes } from "@farthing/site/testing/site.testing.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { newAddress, realServer, type Answer } from "./real-server.testing.ts";
import { openSession } from "./sessions.testing.ts";
import { ACCESS_REQUEST, plantVictim, SENTINEL, SPEND_ID, type Victim } from "./victim.testing.ts";

const server = await realServer();
const { db } = server;
const one = await insertBrand(db, { slug: "one", isDefault: true });
const two = await insertBrand(db, { slug: "two" });
let shop: ShopForTests;
let codeShop: ShopForTests;
let victim: Victim;
let neighbour = "";
let stranger = "";

beforeAll(async () => {
  await seedMemberTypes(db);
  const networkId = (await insertNetwork(db, { slug: "awin" })).id;
  shop = await makeShop(db, { brandId: one.id, networkId });
  codeShop = await makeShop(db, { brandId: one.id, networkId, offer: { kind: "code" } });
  for (const { retailerId } of [shop, codeShop])
    await db.insertInto("brand_retailers").values({ brand_id: two.id, retailer_id: retailerId }).execute();
  victim = await plantVictim(server, { brand: one, networkId, shop, codeOfferId: codeShop.offerId });
  neighbour = await insertMemberWithPassword(db, one, "neighbour@one.test");
  stranger = await insertMemberWithPassword(db, two, "stranger@two.test");
});

interface Attacker {
  host: string;
  cookie?: string;
}

/**
 * The attackers: a visitor, and members of the victim's brand and of another. Members have just logged in, so that no
 * page asks for the password first.
 */
const attackers: Record<string, () => Promise<Attacker>> = {
  "another member": async () => ({
    host: "one.test",
    cookie: (await openSession(server, { brand: one, memberId: neighbour })).cookie,
  }),
  "another brand's member": async () => ({
    host: "two.test",
    cookie: (await openSession(server, { brand: two, memberId: stranger })).cookie,
  }),
  "another brand's session": async () => ({
    host: "one.test",
    cookie: (await openSession(server, { brand: two, memberId: stranger })).cookie,
  }),
  "the victim's own session at another brand": async () => ({ host: "two.test", cookie: victim.session.cookie }),
  nobody: async () => ({ host: "one.test" }),
};

interface Attack {
  what: string;
  path: string | (() => string);
  form?: () => Record<string, string>;
  /**
   * The answer to a signed-in attacker if the request names something of the victim's. Visitors are redirected, or get
   * the same.
   */
  answer?: number;
  /** Has no effect for the owner either: this club has no member types, or the page shows nothing of theirs. */
  isInert?: true;
}

const security = "/profile/security";
const offer = () => `/offers/${codeShop.offerSlug}?offer=${codeShop.offerPublicId}`;
/** Every way to name something of another member's, or to change what only its owner may. */
const attacks: Attack[] = [
  { what: "an operator's question", path: `/profile/access/${ACCESS_REQUEST}`, answer: 404 },
  {
    what: "saying yes to an operator",
    path: `/profile/access/${ACCESS_REQUEST}`,
    form: () => ({ answer: "yes" }),
    answer: 404,
  },
  {
    what: "saying no to an operator",
    path: `/profile/access/${ACCESS_REQUEST}`,
    form: () => ({ answer: "no" }),
    answer: 404,
  },
  { what: "ending an operator's access", path: "/profile/access", form: () => ({ end: ACCESS_REQUEST }), answer: 404 },
  { what: "a file", path: () => `/verification/attachment/${victim.attachment}`, answer: 404 },
  { what: "a code of a pool, by the victim's token", path: () => `${offer()}&reveal_code=${victim.revealToken}` },
  {
    what: "a session",
    path: security,
    form: () => ({ intent: "end-session", session: victim.session.id }),
    answer: 404,
  },
  { what: "all other sessions", path: security, form: () => ({ intent: "end-others" }) },
  { what: "all sessions", path: security, form: () => ({ intent: "end-all" }) },
  { what: "logging out", path: "/logout", form: () => ({}) },
  {
    what: "an address",
    path: `${security}/emails`,
    form: () => ({ intent: "remove", address: victim.spareEmailId }),
    answer: 404,
  },
  {
    what: "a main address",
    path: `${security}/emails`,
    form: () => ({ intent: "make-main", address: victim.emailId }),
    answer: 404,
  },
  {
    what: "adding an address that is the victim's",
    path: `${security}/emails`,
    form: () => ({ intent: "add", email: "quillfeather@one.test" }),
  },
  {
    what: "a passkey's name",
    path: `${security}/passkeys`,
    form: () => ({ intent: "rename", passkey: victim.passkeyId, name: "mine" }),
    answer: 404,
  },
  {
    what: "a passkey",
    path: `${security}/passkeys`,
    form: () => ({ intent: "remove", passkey: victim.passkeyId }),
    answer: 404,
  },
  { what: "recovery codes", path: `${security}/two-step`, form: () => ({ intent: "renew-codes" }) },
  { what: "the second step", path: `${security}/two-step`, form: () => ({ intent: "turn-off" }) },
  { what: "a favourite offer", path: "/favourites", form: () => ({ remove: `offer/${shop.offerPublicId}` }) },
  { what: "a favourite retailer", path: "/favourites", form: () => ({ remove: `retailer/${shop.retailerSlug}` }) },
  { what: "an alert", path: "/favourites", form: () => ({ remove: `alert/${shop.retailerSlug}` }) },
  { what: "what was viewed", path: "/favourites", form: () => ({ clear: "viewed" }) },
  { what: "a vote", path: offer, form: () => ({ vote: "failed" }), answer: 409 },
  { what: "a digital ID", path: "/digital-id/device", form: () => ({}) },
  { what: "an export", path: "/profile/privacy/export", form: () => ({}) },
  {
    what: "bank details",
    path: "/profile/privacy/close",
    form: () => ({ intent: "payee", payee_name: "Eve", sort_code: "107999", account_number: "88837491" }),
  },
  {
    what: "where withdrawals go",
    path: "/money/bank-details",
    form: () => ({ payee_name: "Eve", sort_code: "08-99-99", account_number: "66374958" }),
  },
  {
    what: "a withdrawal",
    path: "/money/withdraw",
    form: () => ({ intent: "cancel", payout: victim.payoutId }),
    answer: 404,
  },
  { what: "a claim", path: () => `/money/claims/${victim.claimNumber}`, answer: 404 },
  {
    what: "taking a claim back",
    path: () => `/money/claims/${victim.claimNumber}`,
    form: () => ({ intent: "withdraw" }),
    answer: 404,
  },
  {
    what: "an appeal",
    isInert: true,
    path: () => `/money/claims/${victim.claimNumber}`,
    form: () => ({ intent: "appeal", words: "mine" }),
    answer: 404,
  },
  { what: "a claim's files", isInert: true, path: () => `/money/claims/${victim.claimNumber}/evidence`, answer: 404 },
  {
    what: "a claim about a visit",
    isInert: true,
    path: () => `/money/claims/new?click=${victim.clickNumber}`,
    form: () => ({ order_number: "1", purchased_on: "01-10-26", amount: "10" }),
    answer: 404,
  },
  {
    what: "a proposed claim",
    path: "/money/claims",
    form: () => ({ click: victim.clickNumber }),
    answer: 404,
  },
  { what: "a gift card", path: () => `/money/gift-cards/${victim.giftCard}`, answer: 404 },
  ...[{ intent: "show" }, { intent: "used" }, { intent: "balance" }, { intent: "spend", amount: "1" }].map((form) => ({
    what: `a gift card: ${form.intent}`,
    // The victim's browser has shown it before, and no issuer is set up here.
    ...(form.intent === "show" || form.intent === "balance" ? { isInert: true as const } : {}),
    path: () => `/money/gift-cards/${victim.giftCard}`,
    form: () => form,
    answer: 404,
  })),
  {
    what: "a noted spend",
    path: () => `/money/gift-cards/${victim.giftCard}`,
    form: () => ({ intent: "remove-spend", spend: SPEND_ID }),
    answer: 404,
  },
  { what: "giving a gift card", isInert: true, path: () => `/money/gift-cards/${victim.giftCard}/gift`, answer: 404 },
  ...["give", "change", "again", "take-back"].map((intent) => ({
    what: `a present: ${intent}`,
    // A used card is not given.
    isInert: true as const,
    path: () => `/money/gift-cards/${victim.giftCard}/gift`,
    form: () => ({
      ...{ intent, recipient_name: "Eve", recipient_email: "eve@two.test", message: "", design: "plain", send_on: "" },
    }),
    answer: 404,
  })),
  { what: "an invitation", path: "/join/vvvvvvvvvv" },
  { what: "a link for friends", path: "/money/friends", form: () => ({ intent: "new-link" }) },
  { what: "staying", path: "/profile/privacy/close", form: () => ({ intent: "stay" }) },
  {
    what: "leaving",
    path: "/profile/privacy/close",
    form: () => ({ intent: "close", pending: "give-up", payable: "give-up", sure: "on" }),
  },
  { what: "choices of mails", path: "/profile/notifications", form: () => ({}) },
  { what: "details", isInert: true, path: "/profile/details", form: () => ({ first_name: "Eve", last_name: "Else" }) },
  { what: "a move", isInert: true, path: "/carer-migration", form: () => ({ answer: "agree" }) },
  { what: "proof", path: "/verification", form: () => ({ proof_kind: "payslip" }) },
  {
    what: "a work address",
    isInert: true,
    path: "/verification/work-email",
    form: () => ({ work_email: "quillfeather@work.test" }),
  },
];

/** What an answer may contain of the victim's: only what the attacker sent. */
function expectNothingOfTheVictim(answer: Answer, sent: string, label: string): void {
  const known = sent.toLowerCase();
  const found = [SENTINEL, ...victim.secrets]
    .map((secret) => secret.toLowerCase())
    .filter((secret) => answer.whole.toLowerCase().includes(secret) && !known.includes(secret));
  expect(found, label).toEqual([]);
}

async function memberTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'member_id' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

/** Returns every row of the victim's, by table. */
async function victimsRows(): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const [table, column] of [...(await memberTables()).map((name) => [name, "member_id"]), ["members", "id"]]) {
    const { rows } = await sql<{ text: string }>`
      select t::text as text from ${sql.table(table!)} t where ${sql.ref(column!)} = ${victim.memberId} order by 1`.execute(
      db,
    );
    // That somebody else types their address is told to its owner, by mail alone.
    all[table!] = rows.map(({ text }) => text).filter((text) => !text.includes(",already-registered,"));
  }
  return all;
}

/** Tables with a member column that no request reads. */
const nobodyAsks: Record<string, string> = {
  attachment_deletions: "a record for operators",
  telemetry_erasures: "a job's, after the account is closed",
};

describe("another member's data", () => {
  test("S1 the victim has a row in every table of members' data; add new tables to victim.testing.ts", async () => {
    const rows = await victimsRows();
    const missing = Object.keys(rows).filter((table) => rows[table]?.length === 0 && !(table in nobodyAsks));
    expect(missing).toEqual([]);
    const mine = { host: "one.test", cookie: victim.session.cookie };
    const security = await server.get("/profile/security", mine);
    expect(security.text, "the control: to its owner it is shown").toContain(SENTINEL);
    expect((await server.get(`/verification/attachment/${victim.attachment}`, mine)).text).toBe(`${SENTINEL} earns`);
  });

  for (const [who, attacker] of Object.entries(attackers))
    test(`S1 B4 IDOR: ${who} can't read or change any of it by naming it`, async () => {
      const before = await victimsRows();
      for (const { what, path, form, answer: expected } of attacks) {
        const asking = { ...(await attacker()), from: newAddress() };
        const to = typeof path === "string" ? path : path();
        const posted = form?.();
        const answer = await (posted ? server.post(to, { ...asking, form: posted }) : server.get(to, asking));
        const label = `${who}: ${what} (${answer.status})`;
        expectNothingOfTheVictim(answer, to + JSON.stringify(posted), label);
        expect(answer.status, label).toBeLessThan(500);
        const isSignedIn = who === "another member" || who === "another brand's member";
        if (expected && isSignedIn) expect(answer.status, label).toBe(expected);
        if (expected && !isSignedIn && answer.status < 400)
          expect(answer.headers.location, label).toMatch(/^\/login\b/);
        expect(await victimsRows(), label).toEqual(before);
      }
    });

  test("S1 B4 links from the victim's mails do nothing at another brand, opened or posted", async () => {
    const before = await victimsRows();
    for (const [path, token] of Object.entries(victim.tokens))
      for (const who of ["another brand's member", "the victim's own session at another brand"] as const) {
        const asking = { ...(await attackers[who]!()), from: newAddress() };
        const link = `${path}?token=${token}`;
        const password = "Another-password-1";
        const form = { token, password, password_confirmation: password };
        for (const answer of [await server.get(link, asking), await server.post(link, { ...asking, form })]) {
          expectNothingOfTheVictim(answer, token, `${path}, ${who}`);
          expect(answer.cookies.join(), path).not.toContain("session");
        }
        expect(await victimsRows(), path).toEqual(before);
      }
  });

  test("S1 B4 an unfinished registration or login can't continue at another brand", async () => {
    const before = await server.everything();
    const asking = { host: "two.test", from: newAddress() };
    for (const path of ["/register", "/register/details", "/register/sent"])
      expectNothingOfTheVictim(await server.get(path, { ...asking, cookie: victim.draftCookie }), "", path);
    for (const path of ["/register/details", "/register/draft"]) {
      const answer = await server.post(path, { ...asking, cookie: victim.draftCookie, form: { first_name: "Eve" } });
      expectNothingOfTheVictim(answer, "", path);
    }
    const step = await server.post("/login/code", { ...asking, cookie: victim.stepCookie, form: { code: "000000" } });
    expect(step.headers.location).toBe("/login?note=step-over");
    expect(await server.everything()).toEqual(before);
  });

  test("S1 B4 a digital ID's code is valid at its own brand only, and reveals no name anywhere", async () => {
    const code = victim.idCode();
    const answerAt = (host: string) => server.get(`/check?c=${code}`, { host, from: newAddress() });
    const [here, there] = [await answerAt("one.test"), await answerAt("two.test")];
    const isValid = ({ text }: { text: string }) => /<h1[^>]*>Valid</.test(text);
    expect({ here: isValid(here), there: isValid(there) }).toEqual({ here: true, there: false });
    for (const answer of [here, there]) expectNothingOfTheVictim(answer, code, "the check page");
  });

  for (const who of Object.keys(attackers))
    test(`S1 B4 no page shows ${who} any data of the victim's, also right after the victim has opened it`, async () => {
      const before = await victimsRows();
      const slugs: Record<string, string> = {
        "/offers/:slug": `/offers/${shop.offerSlug}?offer=${shop.offerPublicId}`,
        "/retailers/:slug": `/retailers/${shop.retailerSlug}`,
        "/verification/attachment/:id": `/verification/attachment/${victim.attachment}`,
      };
      const asking = { ...(await attackers[who]!()), from: newAddress() };
      for (const { path } of siteRoutes().filter(({ hasLoader }) => hasLoader)) {
        const filled =
          slugs[path] ??
          path
            .replace("*", "no-such-page")
            .replace(/\/:[a-z]+\?/gi, "")
            .replace(/:[a-z]+/gi, "x");
        const own = await server.get(filled, { host: "one.test", cookie: victim.session.cookie, from: newAddress() });
        const answer = await server.get(filled, asking);
        expectNothingOfTheVictim(answer, filled, `${filled} to ${who}`);
        expect(answer.status, filled).toBeLessThan(500);
        if (own.whole.includes(SENTINEL))
          expect(own.headers["cache-control"], `${filled}, which shows what is private`).toMatch(/private, no-store/);
      }
      // The victim's own visits write rows of the victim's: views, marks, and when a session was last used.
      const { viewed_offers: _, member_sessions: __, member_marks: ___, ...rest } = await victimsRows();
      expect(before).toMatchObject(rest);
    });

  test("control: in the owner's browser each of these has an effect", async () => {
    for (const { what, path, form } of attacks.filter((attack) => !attack.isInert)) {
      const isReveal = what.startsWith("a code");
      const own = isReveal ? victim.session : await openSession(server, { brand: one, memberId: victim.memberId });
      const before = await victimsRows();
      const asking = { host: "one.test", cookie: own.cookie, from: newAddress() };
      const to = typeof path === "string" ? path : path();
      const answer = await (form ? server.post(to, { ...asking, form: form() }) : server.get(to, asking));
      const changes = JSON.stringify(await victimsRows()) !== JSON.stringify(before);
      expect(changes || answer.whole.includes(SENTINEL), `${what} (${answer.status})`).toBe(true);
    }
  });
});
