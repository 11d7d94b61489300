import { createHash, randomBytes } from "node:crypto";
import { insertOperator } from "@farthing/admin/testing/admin.testing.ts";
import { findActing, issueTicket, startActing } from "@farthing/core/account-access/acting.server.ts";
import { answerAccess, askForAccess } from "@farthing/core/account-access/request-access.server.ts";
import { insertRetailer } from "@farthing/core/catalogue/catalogue.testing.ts";
import { markOfAccount, sealBankAccount } from "@farthing/core/bank-details/bank-seal.ts";
import { findBankDetails } from "@farthing/core/bank-details/operations.server.ts";
import { sealPayee } from "@farthing/core/closures/payee-seal.ts";
import { checkCode } from "@farthing/core/digital-ids/check-code.server.ts";
import { deviceSecret, signOf } from "@farthing/core/digital-ids/device-secret.ts";
import { issueDevice } from "@farthing/core/digital-ids/operations.server.ts";
import { stepAt } from "@farthing/core/digital-ids/rules.ts";
import { signUnsubscription } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import { findCarerMove } from "@farthing/core/carer-migrations/move-carer.server.ts";
import { startLoginStep } from "@farthing/core/sign-in/login-steps.server.ts";
import { newRecoveryCodes, recoveryCodeHash } from "@farthing/core/sign-in/recovery-codes.ts";
import type { Holding } from "@farthing/core/members/recovery-rules.ts";
import { openSecret, sealSecret } from "@farthing/core/secrets/sealed-secret.ts";
import { tokenPurposes, type TokenPurpose } from "@farthing/core/members/token-rules.ts";
import { issueToken } from "@farthing/core/members/token.server.ts";
import { newTotpSecret, totpCode } from "@farthing/core/sign-in/totp.ts";
import { checkRevealToken, issueRevealToken } from "@farthing/core/reveals/token.ts";
import { findWorkEmailCheck } from "@farthing/core/verification-requests/work-email.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { DIGITAL_ID_KEY } from "@farthing/site/testing/site.testing.ts";
import { testPassword } from "./accounts.testing.ts";
import { memberSecretKeys, type AccountsClub, type Browser } from "./club.testing.ts";
import { PasswordHashing } from "./password-hashing.ts";
import { softAuthenticator } from "./soft-authenticator.testing.ts";

/** Returns whether a holding still gives access. The check does not affect other holdings. */
type Works = () => Promise<boolean>;

export interface Thief {
  owner: { id: string; email: string; browser: Browser };
  /** The thief's browser, with a session of the owner's account that is as fresh as the owner's. */
  browser: Browser;
  /** An address that the thief planted weeks ago. */
  address: { id: string; email: string };
  passkeyId: string;
  /** The secret of the owner's app, which the thief has seen. */
  appSecret: string | null;
  holdings: Partial<Record<Holding, Works>>;
}

export interface Scene {
  db: Db;
  club: AccountsClub;
  clock: { now: Date };
  /** A club that members of this one may move to. */
  movesTo: string;
}

const weeksAgo = (now: Date, weeks: number) => new Date(now.getTime() - weeks * 7 * 24 * 60 * 60 * 1000);
const sha256 = (text: string) => createHash("sha256").update(text).digest();
const revealSecret = "a secret of reveals for the matrix, which is long enough";

/** The page of the links of each purpose. The type asks for an entry for a new purpose. */
const linkPages: Record<TokenPurpose, string> = {
  "confirm-email": "/confirm-email",
  "reset-password": "/reset-password",
  "add-email": "/confirm-email",
  "undo-email-change": "/undo-email-change",
  "remove-bank-details": "/remove-bank-details",
};

/**
 * Opens an account with its owner signed in, and a thief with one of every holding. Two-step sign-in is on, or it is
 * off and the thief has seen the secret that a page shows before it is turned on.
 */
export async function plantThief(scene: Scene, { withFactor }: { withFactor: boolean }): Promise<Thief> {
  const { db, club, clock, movesTo } = scene;
  const brandId = club.brand.id;
  const { id: memberId, email } = await club.newMember();
  const person = { brandId, memberId };
  const own = { brand_id: brandId, member_id: memberId };
  const password = await quickHashing.hash(testPassword);
  await db.updateTable("member_credentials").set({ password }).where("member_id", "=", memberId).execute();
  const [ownersBrowser, browser] = [club.browser(), club.browser()];
  for (const one of [ownersBrowser, browser]) await one.post("/login", { email, password: testPassword });
  const session = await browser.member();
  if (!session) throw new Error("The thief could not log in");
  const holdings: Partial<Record<Holding, Works>> = {};

  holdings.password = async () => {
    await noWaits(db);
    return (
      (await club.browser().post("/login", { email: await mainOf(db, memberId, email), password: testPassword }))
        .status === 303
    );
  };

  const address = { id: newId(), email: `thief-${memberId.slice(-8)}@elsewhere.example` };
  await db
    .insertInto("member_emails")
    .values({ ...address, ...own, verified_at: weeksAgo(clock.now, 5), created_at: weeksAgo(clock.now, 5) })
    .execute();
  holdings.address = async () => {
    const before = await club.mailCount("reset-password", address.email);
    await club.browser().post("/forgotten-password", { email: address.email });
    return (await club.mailCount("reset-password", address.email)) > before;
  };

  const device = softAuthenticator();
  const site = { rpId: `${club.brand.slug}.localhost`, origin: `http://${club.brand.slug}.localhost` };
  const visit = { requestId: "t", brand: club.brand, member: session, nonce: "n", origin: site.origin };
  const wanted = await club.accounts.prepareNewPasskey(visit);
  const challengeOf = (json: string) => (JSON.parse(json) as { challenge: string }).challenge;
  await club.accounts.addPasskey(visit, {
    name: "Thief’s phone",
    challenge: wanted.challenge,
    answerJson: device.create({ ...site, challenge: challengeOf(wanted.optionsJson) }),
  });
  const { id: passkeyId } = await db
    .updateTable("member_passkeys")
    .set({ created_at: weeksAgo(clock.now, 5) })
    .where("member_id", "=", memberId)
    .returning("id")
    .executeTakeFirstOrThrow();
  holdings.passkey = async () => {
    await noWaits(db);
    const asked = club.accounts.askForPasskey({ ...visit, member: null });
    const answer = device.get({ ...site, challenge: challengeOf(asked.optionsJson) });
    const thief = club.browser();
    await thief.post("/login/passkey", { challenge: asked.challenge, answer, next: "/profile" });
    return (await thief.member()) !== null;
  };

  let appSecret: string | null = null;
  if (withFactor) {
    appSecret = newTotpSecret();
    const secret = appSecret;
    const factor = { member_id: memberId, secret: sealSecret(secret, { memberId, keys: memberSecretKeys }) };
    await db
      .insertInto("member_second_factors")
      .values({ ...factor, enabled_at: weeksAgo(clock.now, 5), created_at: weeksAgo(clock.now, 5) })
      .execute();
    const [code = ""] = newRecoveryCodes();
    const code_hash = recoveryCodeHash(code, { memberId, key: memberSecretKeys[0] });
    const kept = { id: newId(), member_id: memberId, code_hash, created_at: weeksAgo(clock.now, 5) };
    await db.insertInto("member_recovery_codes").values(kept).execute();
    // Whether the second step would accept it, regardless of the first.
    const passesSecondStep = async (typed: string) => {
      await noWaits(db);
      const thief = club.browser();
      const { device_generation: deviceGeneration } = await db
        .selectFrom("members")
        .select("device_generation")
        .where("id", "=", memberId)
        .executeTakeFirstOrThrow();
      const step = await startLoginStep(db, { ...person, deviceGeneration, next: "/profile", now: clock.now });
      thief.cookies.set("farthing_step", step ?? "");
      await thief.post("/login/code", { code: typed });
      return (await thief.member()) !== null;
    };
    holdings["app-secret"] = () => {
      clock.now = new Date(clock.now.getTime() + 60_000); // each time step is accepted once
      return passesSecondStep(totpCode(secret, clock.now));
    };
    holdings["recovery-code"] = () => passesSecondStep(code);
    const half = club.browser();
    await half.post("/login", { email, password: testPassword });
    holdings["half-login"] = async () => {
      await noWaits(db);
      return (await half.post("/login/code", { code: "000000" })).status === 401;
    };
  } else {
    const seen = (await club.accounts.prepareSecondFactor(visit))?.secret;
    holdings["shown-secret"] = async () => {
      const row = await db
        .selectFrom("member_second_factors")
        .select("secret")
        .where("member_id", "=", memberId)
        .executeTakeFirst();
      return row !== undefined && openSecret(row.secret, { memberId, keys: memberSecretKeys }) === seen;
    };
  }

  const payee = sealPayee(
    { name: "A Thief", sortCode: "200000", accountNumber: "73737373" },
    memberId,
    memberSecretKeys,
  );
  await db
    .insertInto("closures")
    .values({
      id: newId(),
      ...own,
      state: "requested",
      pending_choice: "wait",
      payable_choice: "pay-out",
      pending_pence: 0,
      payable_pence: 100,
      payee,
      requested_at: weeksAgo(clock.now, 2),
      cancellable_until: weeksAgo(clock.now, 1),
    })
    .execute();
  holdings.payee = async () => {
    const row = db.selectFrom("closures").select("payee").where("member_id", "=", memberId);
    return (await row.executeTakeFirst())?.payee === payee;
  };

  const account = { name: "A Thief", sortCode: "200000", accountNumber: "73737373" };
  await db
    .insertInto("bank_details")
    .values({
      ...own,
      sealed: sealBankAccount(account, memberId, memberSecretKeys),
      account_mark: markOfAccount(account, memberSecretKeys),
      changed_at: weeksAgo(clock.now, 2),
      usable_from: weeksAgo(clock.now, 1),
    })
    .execute();
  holdings["bank-details"] = async () =>
    (await findBankDetails(db, { memberId, keys: memberSecretKeys, now: clock.now })) !== null;

  holdings.session = async () => (await browser.member()) !== null;
  const mark = browser.cookies.get("farthing_device") ?? "";
  holdings["device-mark"] = async () => {
    await noWaits(db);
    const marked = club.browser();
    marked.cookies.set("farthing_device", mark);
    const form = { email: await mainOf(db, memberId, email), password: "Wrong-Password-1" };
    for (let tries = 0; tries < 5; tries += 1) await marked.post("/login", form);
    // An unknown browser is throttled by now. One that the account knows has a counter of its own.
    return (await marked.post("/login", form)).status === 401;
  };
  const card = await issueDevice(db, { ...person, sessionId: session.sessionId, now: clock.now });
  if (!card) throw new Error("The thief has no digital ID");
  const cardKey = deviceSecret({ id: card.id, brandId, key: DIGITAL_ID_KEY });
  holdings["digital-id"] = async () => {
    const { now } = clock;
    const code = card.handle + signOf(cardKey, card.handle, stepAt(now.getTime()));
    const checked = await checkCode(db, { brandId, code, address: "192.0.2.9", key: DIGITAL_ID_KEY, now });
    return checked.outcome === "valid";
  };
  const reveal = { secret: revealSecret, sessionId: session.sessionId, offerId: newId() };
  const revealToken = issueRevealToken({ ...reveal, now: clock.now });
  holdings["reveal-token"] = async () => {
    const now = (await browser.member())?.sessionId;
    return (
      now !== undefined && checkRevealToken(revealToken, { ...reveal, sessionId: now, now: clock.now }) === "valid"
    );
  };

  for (const purpose of tokenPurposes) {
    const token = await issueToken(db, { ...person, purpose, email: address.email, now: clock.now });
    holdings[`link:${purpose}`] = async () =>
      (await club.browser().get(`${linkPages[purpose]}?token=${token}`)).status === 200;
  }

  const workToken = randomBytes(32).toString("base64url");
  await db
    .insertInto("work_email_checks")
    .values({
      id: newId(),
      ...own,
      email: `thief-${memberId}@school.example`,
      mailbox: `thief-${memberId}@school.example`,
      token_hash: sha256(workToken),
      requested_at: clock.now,
      expires_at: new Date(clock.now.getTime() + 86_400_000),
    })
    .execute();
  holdings["link:work-email"] = async () =>
    (await findWorkEmailCheck(db, { brandId, token: workToken, now: clock.now })) !== null;

  const moveToken = randomBytes(32).toString("base64url");
  const rule = await db
    .selectFrom("carer_migration_rules")
    .select("id")
    .where("brand_id", "=", brandId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto("carer_migrations")
    .values({
      id: newId(),
      ...own,
      rule_id: rule.id,
      state: "agreed",
      agreed_at: clock.now,
      consent: "I agree",
      token_hash: sha256(moveToken),
      token_expires_at: new Date(clock.now.getTime() + 86_400_000),
      updated_at: clock.now,
    })
    .execute();
  holdings["link:carer-move"] = async () =>
    (await findCarerMove(db, { brandId: movesTo, token: moveToken, now: clock.now })) !== null;

  const unsubscription = signUnsubscription({ ...person, subject: "rate-alerts" }, ["a secret for links in mails"]);
  holdings["link:unsubscribe"] = async () => {
    const choices = async () =>
      (await db.selectFrom("mail_choices").select("id").where("member_id", "=", memberId).execute()).length;
    const before = await choices();
    await club.browser().post(`/unsubscribe?token=${unsubscription}`, {});
    return (await choices()) > before;
  };
  const alertToken = randomBytes(18).toString("base64url");
  const retailer = await insertRetailer(db, { brandIds: [brandId] });
  await db
    .insertInto("rate_alerts")
    .values({
      id: newId(),
      token: alertToken,
      member_id: memberId,
      retailer_id: retailer.id,
      rate_kind: "percent",
      asked_value: 100,
      known_value: 100,
      created_at: clock.now,
    })
    .execute();
  holdings["link:stop-alert"] = async () =>
    (await db.selectFrom("rate_alerts").select("id").where("token", "=", alertToken).execute()).length > 0;

  holdings["account-access"] = await plantActing(db, { ...person, now: () => clock.now });

  return { owner: { id: memberId, email, browser: ownersBrowser }, browser, address, passkeyId, appSecret, holdings };
}

/** Starts a session in which an operator acts as the member: the thief is an operator who got the yes by trickery. */
async function plantActing(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now(): Date },
): Promise<Works> {
  const operator = await insertOperator(db, { role: "support", now: now() });
  const reason = "to see what the member sees";
  const asked = await askForAccess(db, { memberId, operator, reason, now: now() });
  if (asked.outcome !== "asked") throw new Error(`The member could not be asked: ${asked.outcome}`);
  const { publicId } = asked;
  await answerAccess(db, { publicId, brandId, memberId, answer: "yes", now: now() });
  const ticket = await issueTicket(db, {
    publicId,
    operator: { id: operator.id, sessionId: operator.sessionId },
    now: now(),
  });
  const token = ticket && (await startActing(db, { brandId, ticket, now: now() }));
  if (!token) throw new Error("The operator could not start");
  return async () => (await findActing(db, { brandId, token, now: now() })) !== null;
}

/**
 * Replaces argon2id in the matrix: access does not depend on the cost of a hash, and some hundred hashes take a minute.
 */
export const quickHashing: PasswordHashing = Object.assign(Object.create(new PasswordHashing()) as PasswordHashing, {
  hash: async (password: string) => `quick hash of ${password}`,
  verify: async (hash: string | null, password: string) => hash === `quick hash of ${password}`,
});

/** Ends the waits that other attempts caused. */
export async function noWaits(db: Db): Promise<void> {
  await db.deleteFrom("login_tries").execute();
}

/** Returns the main address, or the last one of a member who is gone. */
async function mainOf(db: Db, memberId: string, email: string): Promise<string> {
  const row = await db
    .selectFrom("members")
    .select(["email", "closed_at"])
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  return row.closed_at ? email : row.email;
}
