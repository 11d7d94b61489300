import { expect, test } from "vitest";
import { tokenLifeMs } from "./token-rules.ts";

const hour = 60 * 60 * 1000;

test("S1 each kind of link has its own lifetime", () => {
  expect(tokenLifeMs).toEqual({
    "confirm-email": 24 * hour,
    "reset-password": hour,
    "add-email": 24 * hour,
    "undo-email-change": 7 * 24 * hour,
    "remove-bank-details": 7 * 24 * hour,
  });
});
