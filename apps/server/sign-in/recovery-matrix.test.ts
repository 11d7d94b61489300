import { readFileSync } from "node:fs";
import { advanceClosures } from "@farthing/core/closures/close-member.server.ts";
import {
  holdings,
  recoveryActs,
  recoveryTable,
  type Holding,
  type RecoveryAct,
} from "@farthing/core/members/recovery-rules.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { restoreMember, suspendMember } from "@farthing/core/members/suspension.server.ts";
import { tokenPurposes } from "@farthing/core/members/token-rules.ts";
import { totpCode } from "@farthing/core/sign-in/totp.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccountsClub, tokenOf } from "./club.testing.ts";
import { credentialColumns } from "./credential-columns.testing.ts";
import { noWaits, plantThief, quickHashing, type Scene, type Thief } from "./thief.testing.ts";

const { db } = await testDatabase();
loadSite();

const clock = { now: new Date("2026-11-20T10:00:00Z") };
const club = await openAccountsClub(db, clock, { hashing: quickHashing });
const elsewhere = await openAccountsClub(db, clock);
const scene: Scene = { db, club, clock, movesTo: elsewhere.brand.id };
const security = "/profile/security";
const fresh = "Owners-own-2026";

beforeAll(async () => {
  await seedMemberTypes(db);
  // Mails to operators have the look of the default brand.
  await db.updateTable("brands").set({ is_default: true }).where("id", "=", club.brand.id).execute();
  const { id: statusId, member_type_id: typeId } = await db
    .selectFrom("member_statuses")
    .select(["id", "member_type_id"])
    .executeTakeFirstOrThrow();
  await db
    .insertInto("carer_migration_rules")
    .values({
      id: newId(),
      brand_id: club.brand.id,
      member_status_id: statusId,
      to_brand_id: elsewhere.brand.id,
      to_member_type_id: typeId,
    })
    .execute();
});

const newest = async (kind: string, to: string) => tokenOf((await club.mailPaths(kind, to))[0]);
const resetWith = async (token: string) => {
  const form = { token, password: fresh, password_confirmation: fresh };
  expect((await club.browser().post("/reset-password", form)).status).toBe(303);
};
const press = async (thief: Thief, path: string, form: Record<string, string>, status = 303) =>
  expect((await thief.owner.browser.post(security + path, form)).status).toBe(status);

/** Acts of the owner or an operator. Each returns the password that opens the account afterwards; null if none does. */
const acts: Record<RecoveryAct, (thief: Thief) => Promise<string | null>> = {
  async "reset-password"({ owner }) {
    await club.browser().post("/forgotten-password", { email: owner.email });
    await resetWith(await newest("reset-password", owner.email));
    return fresh;
  },
  async "change-password"(thief) {
    const form = { present_password: testPassword, password: fresh, password_confirmation: fresh };
    await press(thief, "/password", form);
    return fresh;
  },
  async "undo-email-change"({ owner, browser, address }) {
    const taken = await browser.post(`${security}/emails`, { intent: "make-main", address: address.id });
    expect(taken.status, "the thief makes their own address the main one").toBe(303);
    const token = await newest("email-changed", owner.email);
    expect((await club.browser().post("/undo-email-change", { token })).status).toBe(200);
    return null;
  },
  async "sign-out-everywhere"(thief) {
    await press(thief, "", { intent: "end-all" });
    return testPassword;
  },
  async "sign-out-elsewhere"(thief) {
    await press(thief, "", { intent: "end-others" });
    return testPassword;
  },
  async "end-session"(thief) {
    await press(thief, "", { intent: "end-session", session: (await thief.browser.member())?.sessionId ?? "" });
    return testPassword;
  },
  async "remove-email"(thief) {
    await press(thief, "/emails", { intent: "remove", address: thief.address.id });
    return testPassword;
  },
  async "remove-passkey"(thief) {
    await press(thief, "/passkeys", { intent: "remove", passkey: thief.passkeyId });
    return testPassword;
  },
  async "turn-on-second-factor"(thief) {
    const words = textOf(await (await thief.owner.browser.get(`${security}/two-step`)).text());
    const secret = /type this into it: ((?:[A-Z2-7]{1,4} ?)+)/.exec(words)?.[1]?.replaceAll(" ", "") ?? "";
    await press(thief, "/two-step", { intent: "turn-on", code: totpCode(secret, clock.now) }, 200);
    thief.appSecret = secret;
    return testPassword;
  },
  async "turn-off-second-factor"(thief) {
    await press(thief, "/two-step", { intent: "turn-off" });
    return testPassword;
  },
  async "renew-recovery-codes"(thief) {
    await press(thief, "/two-step", { intent: "renew-codes" }, 200);
    return testPassword;
  },
  async suspend({ owner }) {
    expect(await suspendMember(db, { brandId: club.brand.id, memberId: owner.id, now: clock.now })).toBe(true);
    return null;
  },
  async close() {
    expect(await advanceClosures(db, { now: clock.now })).toBeGreaterThan(0);
    return null;
  },
};

/** The state of two-step sign-in that an act needs. */
const needsFactor: Partial<Record<RecoveryAct, boolean>> = {
  "turn-on-second-factor": false,
  "turn-off-second-factor": true,
  "renew-recovery-codes": true,
};

/** Holdings that can't exist while the act is possible: there is no app before two-step sign-in is on. */
const notHeldThen: Partial<Record<RecoveryAct, readonly Holding[]>> = {
  "turn-on-second-factor": ["app-secret", "recovery-code", "half-login"],
  "turn-off-second-factor": ["shown-secret"],
  "renew-recovery-codes": ["shown-secret"],
};

/** Returns whether the owner can log in, through both steps where there are two. */
async function ownerGetsIn({ owner, appSecret }: Thief, password: string): Promise<boolean> {
  await noWaits(db);
  const browser = club.browser();
  const login = await browser.post("/login", { email: owner.email, password });
  if (login.headers.get("Location") === "/login/code" && appSecret !== null) {
    clock.now = new Date(clock.now.getTime() + 60_000);
    await browser.post("/login/code", { code: totpCode(appSecret, clock.now) });
  }
  return (await browser.member())?.id === owner.id;
}

describe("S1 every act of recovery against everything that a thief may hold (decision 020)", () => {
  for (const withFactor of [true, false])
    test(`S1 control: every holding gives access before any act (two-step sign-in ${withFactor ? "on" : "off"})`, async () => {
      const thief = await plantThief(scene, { withFactor });
      for (const [holding, works] of Object.entries(thief.holdings)) expect(await works(), holding).toBe(true);
    });

  for (const act of recoveryActs)
    describe(`after ${act}`, () => {
      const worth = new Map<Holding, boolean>();
      let isOwnerIn = false;

      beforeAll(async () => {
        for (const withFactor of [true, false].filter((is) => is === (needsFactor[act] ?? is))) {
          const thief = await plantThief(scene, { withFactor });
          const password = await acts[act](thief);
          for (const [holding, works] of Object.entries(thief.holdings) as [Holding, () => Promise<boolean>][])
            worth.set(holding, (await works()) || worth.get(holding) === true);
          isOwnerIn = await (act === "undo-email-change"
            ? ownerComesBack(thief)
            : password !== null && ownerGetsIn(thief, password));
        }
      }, 120_000);

      for (const holding of holdings.filter((one) => !notHeldThen[act]?.includes(one))) {
        const isOver = typeof recoveryTable[act][holding] === "string";
        test(`S1 ${act} ${isOver ? "ends" : "deliberately keeps"} ${holding}`, () => {
          expect(worth.get(holding), `${holding} after ${act}`).toBe(!isOver);
        });
      }

      test(`S1 ${act} ${act === "suspend" || act === "close" ? "signs everybody out" : "keeps the owner signed in"}`, () => {
        expect(isOwnerIn).toBe(act !== "suspend" && act !== "close");
      });
    });

  /** After the undo: with the link that was sent with it. */
  async function ownerComesBack(thief: Thief): Promise<boolean> {
    await resetWith(await newest("reset-password", thief.owner.email));
    return ownerGetsIn({ ...thief, appSecret: null }, fresh);
  }

  test("S1 a member whose suspension is lifted has their credentials back, and no session or link from before", async () => {
    const thief = await plantThief(scene, { withFactor: true });
    await acts.suspend(thief);
    expect(await restoreMember(db, { brandId: club.brand.id, memberId: thief.owner.id, now: clock.now })).toBe(true);
    expect(await ownerGetsIn(thief, testPassword)).toBe(true);
    for (const holding of holdings)
      if (recoveryTable.suspend[holding] === "ends" && thief.holdings[holding])
        expect(await thief.holdings[holding](), holding).toBe(false);
  });
});

describe("S1 the matrix is complete", () => {
  test("S1 the purposes of tokens are those that the database allows", async () => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'member_tokens_purpose_check'`.execute(
      db,
    );
    const allowed = new Set([...(rows[0]?.definition ?? "").matchAll(/'([a-z-]+)'::text/g)].map(([, name]) => name));
    expect(allowed).toEqual(new Set(tokenPurposes));
    for (const purpose of tokenPurposes) expect(holdings).toContain(`link:${purpose}`);
  });

  test("S1 every column that may hold a credential is listed as a holding, or with the reason why it opens no member's account", async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and table_name in (select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE')
        and column_name ~ '(token|secret|hash|password|passkey|credential|_key$|^key$|handle|code|public_key|generation)'
      order by 1`.execute(db);
    expect(Object.keys(credentialColumns).sort()).toEqual(rows.map(({ name }) => name));
    for (const [column, { holding, because }] of Object.entries(credentialColumns)) {
      if (holding) expect(holdings, column).toContain(holding);
      expect(Boolean(holding) !== Boolean(because), column).toBe(true);
    }
  });

  test("S1 the inventory names each column that keeps a token as it is, and no other", async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'token' order by 1`.execute(db);
    const inventory = readFileSync(new URL("../../../docs/security/inventory.md", import.meta.url), "utf8");
    const section = inventory.split("## Tokens that are kept as they are\n")[1]?.split("\n## ")[0] ?? "";
    expect([...section.matchAll(/^\| `([^`]+)`/gm)].map(([, column]) => column)).toEqual(rows.map(({ name }) => name));
  });

  test("S1 every table that references a member is listed as holding nothing else that opens an account", async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'member_id' order by 1`.execute(db);
    const listed = new Set(Object.keys(credentialColumns).map((column) => column.split(".")[0]));
    const opensNothing = [
      ["attachment_deletions", "attachments", "bank_details", "bonuses", "cashback_months", "cashback_notices"],
      ["cashback_watches", "claim_proposals", "closures", "consent_choices"],
      [
        "data_exports",
        "detail_changes",
        "favourite_offers",
        "favourite_retailers",
        "goodwill_credits",
        "ledger_accounts",
      ],
      ["mail_choices", "mails", "member_consents", "member_emails", "member_marks", "member_notes"],
      ["payout_holds", "payouts"],
      ["referrals", "renewal_notices", "telemetry_erasures", "upload_tries"],
      ["verification_requests", "viewed_offers", "wallet_cards"],
    ].flat();
    expect(rows.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([...opensNothing].sort());
  });

  test("S1 every derived key is listed as the key of a holding, or of something that opens no member's account", () => {
    const source = readFileSync(new URL("../secrets/derive-key.ts", import.meta.url), "utf8");
    const purposes = [...source.matchAll(/^ {4}\| "([a-z-]+)"/gm)].map(([, purpose]) => purpose ?? "");
    const keys: Record<string, Holding | "opens no member's account"> = {
      "session-cookie": "session",
      "reveal-token": "reveal-token",
      "partner-token": "opens no member's account",
      "partner-webhook": "opens no member's account",
      attachment: "opens no member's account",
      "member-secrets": "app-secret",
      "registration-count": "opens no member's account",
      "mail-count": "opens no member's account",
      "digital-id": "digital-id",
      unsubscribe: "link:unsubscribe",
      payee: "payee",
      "bank-details": "bank-details",
      "gift-cards": "opens no member's account",
      "telemetry-user": "opens no member's account",
      "operator-cookie": "opens no member's account",
      "acting-cookie": "account-access",
      "operator-tries": "opens no member's account",
      "key-fingerprint": "opens no member's account",
      "operator-secrets": "opens no member's account",
      "offer-preview": "opens no member's account",
    };
    expect(purposes.sort()).toEqual(Object.keys(keys).sort());
  });

  test("S1 every act says what happens to every holding, with a reason where it stays, and decision 020 names them all", () => {
    const decision = readFileSync(
      new URL("../../../docs/decisions/020-what-recovery-ends.md", import.meta.url),
      "utf8",
    );
    for (const act of recoveryActs) {
      expect(Object.keys(recoveryTable[act]).sort()).toEqual([...holdings].sort());
      expect(decision, act).toContain(`\`${act}\``);
      for (const fate of Object.values(recoveryTable[act]))
        if (typeof fate !== "string") expect(fate.stays.length).toBeGreaterThan(20);
    }
    for (const holding of holdings) expect(decision, holding).toContain(`\`${holding}\``);
  });
});
