import { expect, test } from "vitest";
import { findOwnPage } from "./own-page.ts";

const features = { telemetry: true, loginConfetti: false, carerMigration: false, appExclusive: false, giftCards: true };

test.each([
  ["gift cards", "/gift-cards"],
  ["Gift-Card", "/gift-cards"],
  ["  giftcards for boots ", "/gift-cards"],
  ["gift voucher", "/gift-cards"],
  ["missing cashback", "/money/claims"],
  ["how do i claim", "/money/claims"],
  ["withdraw", "/money/withdraw"],
  ["pay out", "/money/withdraw"],
  ["refer a friend", "/money/friends"],
  ["invite your friends", "/money/friends"],
  ["wallet", "/money/gift-cards"],
  ["cashback", "/money"],
  ["where is my cashback", "/money"],
  ["digital id", "/digital-id"],
  ["help", "/faq"],
])("D2 %j leads to the club's own page", (query, href) => {
  expect(findOwnPage(query, features)?.href).toBe(href);
});

test.each([
  "boots",
  "gifts for her",
  "card games",
  "helping hands",
  "",
  "reclaimed wood",
  "leather wallet",
  "cashback on boots",
  "friends box set",
])("D2 %j names none", (query) => {
  expect(findOwnPage(query, features)).toBeNull();
});

test("D2 a brand without gift cards leads nobody there", () => {
  for (const query of ["gift cards", "wallet"])
    expect(findOwnPage(query, { ...features, giftCards: false })).toBeNull();
});
