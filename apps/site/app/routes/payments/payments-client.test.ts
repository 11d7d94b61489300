import { afterEach, expect, test, vi } from "vitest";
import { paymentsClient } from "./payments-client.ts";

afterEach(() => void vi.unstubAllGlobals());

test("W8 a call that is never answered ends, as if the server could not be reached", async () => {
  vi.spyOn(console, "info").mockReturnValue();
  const never = (_path: string, { signal }: RequestInit) =>
    new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  vi.stubGlobal("fetch", never);
  const client = paymentsClient("bearer", { startMs: 1, findMs: 1 });
  const lost = { ok: false, status: 0 };
  expect(await client.find("pay_1")).toEqual(lost);
  expect(await client.start({ amountPence: 500, reference: "A-1", idempotencyKey: "key" })).toEqual(lost);
});
