import { expect, test } from "vitest";
import { giftSchema, sendDayProblem } from "./gift.ts";

const gift = {
  recipientName: " Sam ",
  recipientEmail: "sam@example.org",
  message: "Well done\r\nfor once",
  design: "thanks",
  sendOn: null,
};

test("G6 a present is read: trimmed, one kind of line break", () => {
  expect(giftSchema.parse(gift)).toEqual({ ...gift, recipientName: "Sam", message: "Well done\nfor once" });
  expect(giftSchema.parse({ ...gift, sendOn: "2028-02-29" }).sendOn).toBe("2028-02-29");
});

test.each([
  { recipientName: " " },
  { recipientName: "x".repeat(61) },
  { recipientName: "a\nBcc: b" },
  { recipientEmail: "sam" },
  { recipientEmail: "sam@example.org, eve@example.org" },
  { recipientEmail: "sam@example.org\r\nBcc: eve@example.org" },
  { message: "x".repeat(501) },
  { message: "a\u0000b" },
  { design: "skull" },
  { sendOn: "2026-02-30" },
  { sendOn: "tomorrow" },
])("S1 G6 a present with %j is refused", (wrong) => {
  expect(giftSchema.safeParse({ ...gift, ...wrong }).success).toBe(false);
});

test("G6 a present goes within 365 days of London's today", () => {
  // 00:30 on the 30th in London, where it is summer.
  const now = new Date("2026-06-29T23:30:00Z");
  expect(sendDayProblem(null, now)).toBeNull();
  expect(sendDayProblem("2026-06-29", now)).toBe("past");
  expect(sendDayProblem("2026-06-30", now)).toBeNull();
  expect(sendDayProblem("2027-06-30", now)).toBeNull();
  expect(sendDayProblem("2027-07-01", now)).toBe("too-far");
  expect(sendDayProblem("2026-12-31", now, "2026-12-31")).toBeNull();
  expect(sendDayProblem("2027-01-01", now, "2026-12-31")).toBe("card-over");
  expect(sendDayProblem(null, now, "2026-06-30")).toBeNull();
  expect(sendDayProblem(null, now, "2026-06-29")).toBe("card-over");
});
