import { expect, test } from "vitest";
import { readRefund } from "./read-refund.ts";

const publicId = "AbCdEfGhIjKlMnOpQrStUv";

test("G3 a refund names a payment, and optionally an amount with both decimals", () => {
  expect(readRefund([publicId])).toEqual({ publicId, amountPence: null, isAnother: false });
  expect(readRefund([publicId, "12"])).toEqual({ publicId, amountPence: 1200, isAnother: false });
  expect(readRefund([publicId, "0.07"])).toEqual({ publicId, amountPence: 7, isAnother: false });
  expect(readRefund([publicId, "12", "another"])).toEqual({ publicId, amountPence: 1200, isAnother: true });
  for (const words of [
    [],
    ["short"],
    [publicId, "1.5"],
    [publicId, "-1"],
    [publicId, "1e3"],
    [publicId, "1", "2"],
    ["another"],
  ])
    expect(readRefund(words), words.join(" ")).toBeNull();
});
