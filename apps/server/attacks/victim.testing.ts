import { keepHousePartner } from "@farthing/core/partners/house-partner.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { openWidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import { createHash } from "node:crypto";
import { makeClick, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";
import type { ShopForTests } from "@farthing/core/clicks/clicks.testing.ts";
import { markOfAccount, sealBankAccount } from "@farthing/core/bank-details/bank-seal.ts";
import { sealCard } from "@farthing/core/gift-cards/card-seal.ts";
import { sealPayee } from "@farthing/core/closures/payee-seal.ts";
import { deviceSecret, signOf } from "@farthing/core/digital-ids/device-secret.ts";
import { issueDevice } from "@farthing/core/digital-ids/operations.server.ts";
import { stepAt } from "@farthing/core/digital-ids/rules.ts";
import { signUnsubscription } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import { startLoginStep } from "@farthing/core/sign-in/login-steps.server.ts";
import { startDraft } from "@farthing/core/registration/drafts.server.ts";
import { sealSecret } from "@farthing/core/secrets/sealed-secret.ts";
import { issueToken } from "@farthing/core/members/token.server.ts";
import { issueRevealToken } from "@farthing/core/reveals/token.ts";
import { submitProof } from "@farthing/core/verification-requests/submit-proof.server.ts";
import { receivedFile } from "@farthing/core/verification-requests/verification.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import { insertMember } from "@farthing/core/testing/insert-member.testing.ts";
import { newId } from "@farthing/db/uuid.ts";
import { insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import { SERVER_SECRET, type RealServer } from "./real-server.testing.ts";
import { openSession } from "./sessions.testing.ts";

/** A word in all of the victim's data and nowhere else. */
export const SENTINEL = "Quillfeather";
/** An operator's question to the victim. */
export const ACCESS_REQUEST = "victimsaccessrequest00";
const sentinel = SENTINEL.toLowerCase();

export type Victim = Awaited<ReturnType<typeof plantVictim>>;

interface Places {
  brand: Brand;
  networkId: string;
  shop: ShopForTests;
  /** Two codes of a pool: the victim's, and a free one. */
  codeOfferId: string;
}

const key = (purpose: Parameters<typeof deriveKey>[1]) => deriveKey(SERVER_SECRET, purpose);
const hash = (token: string) => createHash("sha256").update(token).digest();

/** Creates a member with a row of everything that members can have. Returns the ids and tokens that name each. */
export async function plantVictim(server: RealServer, { brand, networkId, shop, codeOfferId }: Places) {
  const { db } = server;
  const now = new Date();
  const later = new Date(now.getTime() + 3_600_000);
  const memberId = await insertMemberWithPassword(db, brand, `${sentinel}@one.test`);
  const own = { brand_id: brand.id, member_id: memberId };
  const person = { brandId: brand.id, memberId };
  const insert = <T extends Parameters<Db["insertInto"]>[0]>(table: T, row: object) =>
    // The database checks the references of a dozen tables.
    db
      .insertInto(table)
      .values(row as never)
      .execute();

  // A proof sent while a card is still valid is a renewal.
  await db.updateTable("members").set({ verification: "unverified" }).where("id", "=", memberId).execute();
  const file = receivedFile(Buffer.from(`${SENTINEL} earns`), { originalName: `${SENTINEL}.jpg` });
  await submitProof(db, { ...person, proofKind: null, file, key: key("attachment"), now });
  await db
    .updateTable("members")
    .set({
      name: `Vera ${SENTINEL}`,
      verification: "verified",
      verified_until: new Date(now.getTime() + 30 * 86_400_000),
      stated_member_id: `${SENTINEL}-7`,
      additional_fields: JSON.stringify({ organisation: `${SENTINEL} School` }),
    })
    .where("id", "=", memberId)
    .execute();
  const attachment = await one(db, "attachments", memberId, "public_id");

  const session = await openSession(server, { brand, memberId, device: `${SENTINEL}Browser/1`, from: "198.51.100.77" });
  const device = await issueDevice(db, { ...person, sessionId: session.id, now });
  if (!device) throw new Error("The victim has no digital ID");
  const deviceKey = deviceSecret({ id: device.id, brandId: brand.id, key: key("digital-id") });

  const [emailId, spareEmailId, passkeyId] = [newId(), newId(), newId()];
  await insert("member_emails", { id: emailId, ...own, email: `second-${sentinel}@one.test`, verified_at: now });
  const passkey = { credential_id: `${SENTINEL}-credential`, public_key: "x", name: `${SENTINEL} key` };
  await insert("member_emails", { id: spareEmailId, ...own, email: `third-${sentinel}@one.test`, verified_at: now });
  await insert("member_passkeys", { id: passkeyId, ...own, ...passkey, created_at: now });
  const secret = sealSecret(SENTINEL, { memberId, keys: [key("member-secrets")] });
  await insert("member_second_factors", { member_id: memberId, secret, enabled_at: now, created_at: now });
  const recovery = { id: newId(), member_id: memberId, code_hash: "a recovery code's hash", created_at: now };
  await insert("member_recovery_codes", recovery);

  const alertToken = `${SENTINEL}_alert_token_0000`;
  const rate = { rate_kind: "percent", asked_value: 600, known_value: 600 };
  const alert = { id: newId(), token: alertToken, member_id: memberId, retailer_id: shop.retailerId, ...rate };
  await insert("rate_alerts", { ...alert, created_at: now });
  await insert("favourite_offers", { member_id: memberId, offer_id: shop.offerId, created_at: now });
  await insert("favourite_retailers", { member_id: memberId, retailer_id: shop.retailerId, created_at: now });
  await insert("viewed_offers", { member_id: memberId, offer_id: shop.offerId, viewed_at: now });
  const codeId = newId();
  const code = { id: codeId, offer_id: codeOfferId, code_kind: "pool", code: `${SENTINEL}-CODE` };
  await insert("offer_codes", { ...code, member_id: memberId, assigned_at: now });
  await insert("code_reveals", {
    id: newId(),
    member_id: memberId,
    offer_id: codeOfferId,
    token_hash: "spent",
    code: `${SENTINEL}-CODE`,
  });
  const voidCode = {
    ...code,
    id: newId(),
    code: `${SENTINEL}-VOID`,
    member_id: memberId,
    assigned_at: now,
    voided_at: now,
  };
  await insert("offer_codes", voidCode);
  const swapped = { voided_code_id: voidCode.id, new_code_id: codeId, reason: "cancelled", is_by_club: false };
  await insert("code_swaps", { id: newId(), member_id: memberId, offer_id: codeOfferId, ...swapped, swapped_at: now });
  const vote = { code_id: codeId, outcome: "worked", voted_on: "2026-11-01", voted_at: now };
  await insert("code_votes", { id: newId(), member_id: memberId, offer_id: codeOfferId, ...vote });

  const club = { ...person, networkId, shop };
  const reference = await makeClick(db, club, { createdAt: new Date("2026-10-01T09:00:00Z") });
  const sale = reportedSale(club, reference, { orderReference: `${SENTINEL}-ORDER` });
  await recordReportedTransaction(db, { networkId, reported: sale, now });

  const payee = { name: SENTINEL, sortCode: "200000", accountNumber: "73737373" };
  await insert("closures", {
    id: newId(),
    ...own,
    state: "requested",
    pending_choice: "wait",
    payable_choice: "pay-out",
    pending_pence: 600,
    payable_pence: 0,
    payee: sealPayee(payee, memberId, [key("payee")]),
    requested_at: now,
    cancellable_until: later,
  });
  const account = { name: SENTINEL, sortCode: "200000", accountNumber: "73737373" };
  await insert("bank_details", {
    ...own,
    sealed: sealBankAccount(account, memberId, [key("bank-details")]),
    account_mark: markOfAccount(account, [key("bank-details")]),
    changed_at: now,
    usable_from: later,
  });
  const claimId = newId();
  const claimNumber = "victimsclaim0001";
  const {
    id: clickId,
    click_number: clickNumber,
    created_at: clickedAt,
  } = await db
    .selectFrom("clicks")
    .select(["id", "click_number", "created_at"])
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  await insert("claims", {
    id: claimId,
    public_id: claimNumber,
    ...own,
    click_id: clickId,
    retailer_id: shop.retailerId,
    programme_id: shop.programmeId,
    network_id: networkId,
    kind: "untracked",
    state: "open",
    order_reference: `${SENTINEL}-CLAIM`,
    purchased_on: "2026-10-01",
    sale_pence: 5_000,
    needs_evidence: false,
    opens_at: clickedAt,
    closes_at: later,
    appeal: SENTINEL,
    awaits_pack: true,
    made_at: now,
    changed_at: now,
    next_step_at: now,
  });
  await insert("claim_proposals", { click_id: clickId, ...own, proposed_at: now });
  const payoutId = "victimspayout001";
  const payout = { id: newId(), public_id: payoutId, ...own, method: "bank", state: "requested", amount_pence: 1234 };
  await insert("payouts", { ...payout, bank_reference: "FPVICTIM0001", requested_at: now });
  const partner = await makePartner(db);
  const order = { id: newId(), partner_id: partner.id, session_id: newId(), idempotency_key: "the victim's order" };
  await insert("gift_card_orders", {
    ...order,
    ...own,
    buyer_mark: Buffer.alloc(32, 7),
    total_pence: 1234,
    placed_at: now,
  });
  await keepHousePartner(db, { originOf: (host) => `https://${host}` });
  const house = await db.selectFrom("partners").select("id").where("is_house", "=", true).executeTakeFirstOrThrow();
  const login = { sessionId: session.id, memberId, brandId: brand.id };
  const origin = "https://one.test";
  await openWidgetSession(db, { partnerId: house.id, origin, reference: SENTINEL, login, now });
  const giftCard = await plantCard(server, {
    orderId: order.id,
    memberId,
    brandId: brand.id,
    sessionId: session.id,
    now,
  });
  const credit = {
    id: newId(),
    reference: `${SENTINEL}-GOODWILL`,
    amount_pence: 1234,
    reason: "delay",
    note: SENTINEL,
  };
  await insert("goodwill_credits", { ...credit, ...own, given_by: "an operator", given_at: now });
  await insert("payout_holds", { id: newId(), ...own, reason: SENTINEL, placed_by: "an operator", placed_at: now });
  const programme = { id: newId(), brand_id: brand.id, friend_pence: 500, inviter_pence: 500, min_cashback_pence: 100 };
  await insert("referral_programmes", {
    ...programme,
    within_days: 90,
    max_per_year: 5,
    starts_at: now,
    made_at: now,
    made_by: "demo",
  });
  const inviterId = (await insertMember(db, { brandId: brand.id })).id;
  const referral = { id: newId(), brand_id: brand.id, programme_id: programme.id, inviter_id: inviterId };
  await insert("referrals", { ...referral, member_id: memberId, registered_at: now, qualify_until: later });
  const bonus = { id: newId(), ...own, referral_id: referral.id, side: "friend", amount_pence: 500 };
  await insert("bonuses", { ...bonus, state: "invited", changed_at: now });
  await insert("referral_codes", { ...own, code: "vvvvvvvvvv", made_at: now });
  await insert("member_marks", { ...own, mark_kind: "browser", mark: Buffer.alloc(32, 7), seen_at: now });
  await insert("mail_choices", { id: newId(), ...own, kind: "news", is_wanted: true, way: "page", chosen_at: now });
  await insert("data_exports", { id: newId(), ...own, made_at: now });
  const choice = { version: 1, purposes: [], has_signal: false, chosen_at: now };
  await insert("consent_choices", { id: newId(), ...own, ...choice });
  const operator = { id: newId(), email: `${SENTINEL}@club.test`.toLowerCase(), name: "An operator", role: "support" };
  await insert("operators", { ...operator, created_at: now, updated_at: now });
  await insert("account_access_requests", {
    id: newId(),
    public_id: ACCESS_REQUEST,
    ...own,
    operator_id: operator.id,
    operator_name: SENTINEL,
    reason: SENTINEL,
    state: "asked",
    asked_at: now,
    lapses_at: later,
  });
  await insert("member_notes", { id: newId(), ...own, written_by: "sam@club.test", text: SENTINEL, created_at: now });
  const change = { field: "name", from_text: `Old ${SENTINEL}`, to_text: SENTINEL, changed_at: now };
  await insert("detail_changes", { id: newId(), ...own, ...change });
  await insert("member_consents", { id: newId(), ...own, kind: "terms", wording: SENTINEL, given_at: now });
  await insert("renewal_notices", { member_id: memberId, verified_until: later, told_at: now });
  await insert("upload_tries", { member_id: memberId, hour: now, tries: 1 });

  const token = (purpose: Parameters<typeof issueToken>[1]["purpose"]) =>
    issueToken(db, { ...person, purpose, email: `${sentinel}@one.test`, now });
  const tokens = {
    "/reset-password": await token("reset-password"),
    "/confirm-email": await token("confirm-email"),
    "/undo-email-change": await token("undo-email-change"),
    "/remove-bank-details": await token("remove-bank-details"),
    "/verification/work-email": "w".repeat(43),
    "/carer-migration/confirm": "c".repeat(43),
    "/alerts/stop": alertToken,
    "/unsubscribe": signUnsubscription({ ...person, subject: "news" }, [key("unsubscribe")]),
  };
  const mailbox = `${sentinel}@work.test`;
  const check = { email: mailbox, mailbox, token_hash: hash(tokens["/verification/work-email"]) };
  await insert("work_email_checks", { id: newId(), ...own, ...check, requested_at: now, expires_at: later });
  const move = { token_hash: hash(tokens["/carer-migration/confirm"]), token_expires_at: later, consent: SENTINEL };
  await insert("carer_migrations", { id: newId(), ...own, state: "agreed", agreed_at: now, updated_at: now, ...move });

  const draft = await startDraft(db, {
    brandId: brand.id,
    email: `draft-${sentinel}@one.test`,
    passwordHash: "a hash",
    ...(await anyType(db)),
    replaces: null,
    now,
  });
  const reveal = { secret: key("reveal-token"), sessionId: session.id, offerId: codeOfferId, now };
  return {
    memberId,
    session,
    attachment,
    emailId,
    spareEmailId,
    passkeyId,
    payoutId,
    claimNumber,
    clickNumber,
    giftCard,
    tokens,
    revealToken: issueRevealToken(reveal),
    /** Returns the code of the digital ID at a moment; codes expire, so take it when the test needs it. */
    idCode: (at = new Date()) => device.handle + signOf(deviceKey, device.handle, stepAt(at.getTime())),
    stepCookie: `farthing_step=${await startLoginStep(db, { ...person, deviceGeneration: 0, next: "/profile", now })}`,
    draftCookie: `farthing_registration=${draft}`,
    /**
     * What must not leak besides the word itself: ids, codes, the device, bank details, what a purchase earned.
     */
    secrets: [
      memberId,
      session.id,
      attachment,
      emailId,
      passkeyId,
      device.handle,
      reference,
      "198.51.100.77",
      "73737373",
    ],
  };
}

/** Plants an issued gift card whose code is the sentinel, with notes, and returns its public id. */
async function plantCard(
  { db }: RealServer,
  {
    orderId,
    memberId,
    brandId,
    sessionId,
    now,
  }: Record<"orderId" | "memberId" | "brandId" | "sessionId", string> & { now: Date },
): Promise<string> {
  const [productId, lineId] = [newId(), newId()];
  await db
    .insertInto("gift_card_products")
    .values({
      ...{ id: productId, issuer: "tillo", issuer_product_id: "victims-card", name: "Lantern card" },
      ...{ amounts_pence: [1234], issuer_discount_bp: 500, reward_bp: 100, is_reversible: true },
      ...{ redeemable_at: ["online"], terms: "", synced_at: now },
    })
    .execute();
  const secrets = { code: `${SENTINEL}-GIFT`, pin: null, url: null, barcode: null };
  const prices = { face_pence: 1234, price_pence: 1234, fee_pence: 0, cashback_pence: 0, cost_pence: 1200 };
  const publicId = "victimsgiftcard1";
  await db
    .insertInto("gift_card_lines")
    .values({
      ...{ id: lineId, public_id: publicId, order_id: orderId, line_number: 1, product_id: productId, ...prices },
      ...{ state: "issued", card_state: "issued", paid_at: now, issued_at: now },
      sealed_card: sealCard(secrets, lineId, [key("gift-cards")]),
    })
    .execute();
  const own = { line_id: lineId, brand_id: brandId, member_id: memberId };
  await db.insertInto("wallet_cards").values(own).execute();
  await db
    .insertInto("gift_card_spends")
    .values({ ...own, id: SPEND_ID, amount_pence: 100, note: SENTINEL, noted_at: now })
    .execute();
  await db.insertInto("gift_card_devices").values({ line_id: lineId, session_id: sessionId, shown_at: now }).execute();
  return publicId;
}

/** The spend that the victim has noted of a gift card. */
export const SPEND_ID = "01930000-0000-7000-8000-00000000c0de";

async function one(db: Db, table: "attachments", memberId: string, column: "public_id"): Promise<string> {
  const row = await db.selectFrom(table).select(column).where("member_id", "=", memberId).executeTakeFirstOrThrow();
  return row[column];
}

async function anyType(db: Db): Promise<{ memberTypeId: string; memberStatusId: string }> {
  const row = await db.selectFrom("member_statuses").select(["id", "member_type_id"]).executeTakeFirstOrThrow();
  return { memberTypeId: row.member_type_id, memberStatusId: row.id };
}
