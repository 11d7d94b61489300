import { expect, test } from "vitest";
import { readGift, typedGift, valuesOf, type TypedGift } from "./gift-form.ts";

const now = new Date("2026-11-20T12:00:00Z");
const typed: TypedGift = {
  recipient_name: "Robin",
  recipient_email: "robin@example.org",
  message: "Enjoy it.",
  design: "birthday",
  send_on: "",
};

test("G6 a form without a day is a present for now, and its values come back", () => {
  const { value } = readGift(typed, now, null);
  expect(value).toEqual({
    ...{ recipientName: "Robin", recipientEmail: "robin@example.org", message: "Enjoy it.", design: "birthday" },
    sendOn: null,
  });
  expect(valuesOf(value!)).toEqual(typed);
});

test.each([
  ["recipient_name", "", /required/i],
  ["recipient_name", "x".repeat(61), /60/],
  ["recipient_email", "", /required/i],
  ["recipient_email", "a@example.org,b@example.org", /e-mail address/],
  ["message", "x".repeat(501), /500/],
  ["design", "pirate", /list/],
  ["send_on", "tomorrow", /day/],
  ["send_on", "2026-11-19", /past/],
  ["send_on", "2027-11-21", /365/],
] as const)("G6 %s as %j is refused at its field, with what to do", (field, text, message) => {
  const { value, errors } = readGift({ ...typed, [field]: text }, now, null);
  expect(value).toBeNull();
  expect(Object.keys(errors ?? {})).toEqual([field]);
  expect(errors?.[field]).toMatch(message);
});

test.each([
  ["2026-12-31", null],
  ["2027-01-01", "Choose a day before the card ends, 31 December 2026."],
])("G6 a card that ends on 31 December 2026 is given on %s: %s", (sendOn, problem) => {
  const { errors } = readGift({ ...typed, send_on: sendOn }, now, "2026-12-31");
  expect(errors).toEqual(problem === null ? null : { send_on: problem });
});

test("G6 what was typed is kept, also where it is too long", () => {
  const form = new FormData();
  form.set("recipient_name", ` ${"x".repeat(80)} `);
  form.set("message", "  two\n lines ");
  expect(typedGift(form)).toMatchObject({ recipient_name: "x".repeat(80), message: "  two\n lines ", design: "" });
});
