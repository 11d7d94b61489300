import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchOrder } from "./watch-order.ts";

/** What the server answers; each look asks for it. */
let mark = "";
let reloads: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  reloads = [];
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("location", { replace: (path: string) => reloads.push(path) });
  vi.stubGlobal("fetch", async () => Response.json({ mark }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const watch = () => {
  const dataset = { order: "/portal/orders/one", mark: "open awaiting_payment" };
  return watchOrder({ dataset } as unknown as HTMLElement);
};
const MINUTE_MS = 60_000;

test("W8 G3 after a payment, an earlier card's refusal is no news until the server has looked the payment up", async () => {
  mark = "failed awaiting_payment";
  const onNoNews = vi.fn<() => void>();
  watch().closely(onNoNews);
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(onNoNews).toHaveBeenCalledOnce();
  expect(reloads).toEqual([]);
  mark = "paid awaiting_payment";
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(reloads).toEqual(["/portal/orders/one"]);
});

test("W8 G3 a payment that has failed after all is news in the end, so that the buyer can try another card", async () => {
  mark = "failed awaiting_payment";
  watch().closely(() => {});
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(reloads).toContain("/portal/orders/one");
});

test("W8 G3 an order that can't be seen from here any more says so instead of asking to wait, and is not asked for again", async () => {
  const news = { textContent: "" };
  const waiting = { words: ["Please keep this page open."], replaceChildren: () => void (waiting.words = []) };
  const parts: Record<string, unknown> = { ".portal-news": news, ".portal-pay-status": waiting };
  const fetched = vi.fn<() => Promise<Response>>(async () => new Response(null, { status: 404 }));
  vi.stubGlobal("fetch", fetched);
  const dataset = { order: "/portal/orders/one", mark: "open awaiting_payment" };
  watchOrder({ dataset, querySelector: (of: string) => parts[of] } as unknown as HTMLElement).closely(() => {});
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(news.textContent).toContain("Don’t pay again");
  expect(waiting.words).toEqual([]);
  expect(fetched).toHaveBeenCalledOnce();
});

test("W8 G3 a payment that the bank is processing is news, and so is its refusal on the page that then loads", async () => {
  mark = "processing awaiting_payment";
  watch().closely(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(reloads).toHaveLength(1);
  mark = "failed awaiting_payment";
  watch().gently();
  await vi.advanceTimersByTimeAsync(0);
  expect(reloads).toHaveLength(2);
});
