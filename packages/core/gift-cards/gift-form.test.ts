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
  const { value } = readGift(typed, now);
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
  const { value, errors } = readGift({ ...typed, [field]: text }, now);
  expect(value).toBeNull();
  expect(Object.keys(errors ?? {})).toEqual([field]);
  expect(errors?.[field]).toMatch(message);
});

test("G6 what was typed is kept, also where it is too long", () => {
  const form = new FormData();
  form.set("recipient_name", ` ${"x".repeat(80)} `);
  form.set("message", "  two\n lines ");
  expect(typedGift(form)).toMatchObject({ recipient_name: "x".repeat(80), message: "  two\n lines ", design: "" });
});
