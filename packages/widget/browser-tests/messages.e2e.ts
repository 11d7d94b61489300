import { partner } from "./origins.ts";
import { expect, postFrom, redirect, test } from "./partner-page.ts";

type Heard = { data: string; origin: string; at: number };
const bytes =
  '{"type":"REDIRECT_CONFIG","payload":{"paymentSuccess":{"templateUrl":"https://shop.example/thanks/{id}?x=1","idPlaceholder":"{id}"}},"origin":"react"}';

test("W4 REDIRECT_CONFIG is sent at once and every 1000 ms while there is a configuration, with exactly the specified bytes", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted({}, { token: "t", path: "/silent", redirect });
  const heard = () =>
    frame.evaluate(() => (window as unknown as { heard: Heard[] }).heard.map(({ data, origin }) => [data, origin]));
  await expect.poll(heard).toEqual([[bytes, partner]]);
  for (let turn = 2; turn <= 20; turn++) {
    await page.clock.runFor(999);
    expect(await heard()).toHaveLength(turn - 1);
    await page.clock.runFor(1);
    await expect.poll(async () => (await heard()).length).toBe(turn); // also beyond the 15 seconds of silence
  }
  await page.evaluate(() => window.harness.update({ token: "t", environment: "dev", path: "/silent" }));
  await page.clock.runFor(5000);
  expect(await heard()).toHaveLength(20);
  await page.evaluate(
    (configuration) =>
      window.harness.update({ token: "t", environment: "dev", path: "/silent", redirect: configuration }),
    redirect,
  );
  await expect.poll(async () => (await heard()).length).toBe(21);
});

test("W4 nothing is sent before the frame has loaded, so the browser logs no error", async ({ partnerPage, page }) => {
  await partnerPage.open();
  await page.evaluate(async (configuration) => {
    const properties = { token: "early", environment: "dev", path: "/" } as const;
    window.harness.mount(properties);
    await Promise.resolve(); // the frame exists, its page has not loaded
    window.harness.update({ ...properties, redirect: configuration });
  }, redirect);
  const frame = await partnerPage.frame("early");
  await expect.poll(() => frame.evaluate(() => window.heard.configurations.length)).toBeGreaterThan(0);
  expect(partnerPage.consoleLines.filter((line) => /postMessage|target origin/.test(line))).toEqual([]);
});

test("W4 a frame that has navigated and sends nothing stops getting messages; after its next message it gets them again", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted({}, { path: "/silent", redirect });
  const count = () => frame.evaluate(() => (window as unknown as { heard: Heard[] }).heard.length);
  await expect.poll(count).toBe(1);
  await frame.goto(frame.url());
  await expect.poll(count).toBe(1);
  await page.clock.runFor(14_999);
  const quiet = 15; // at once, and after each of 14 seconds
  await expect.poll(count).toBe(quiet);
  await page.clock.runFor(30_000);
  expect(await count()).toBe(quiet);
  await postFrom(frame, '{"type":"RESIZE","payload":{"height":1,"width":1}}');
  await expect.poll(count).toBe(quiet + 1);
});

test("W4 a page that a visitor walks to, and whose script speaks before it has loaded, gets messages for as long as it is there", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted({}, { redirect });
  const count = () => frame.evaluate(() => window.heard.configurations.length);
  await expect.poll(count).toBeGreaterThan(0);
  await frame.goto(frame.url());
  await expect.poll(count).toBe(1);
  for (let turn = 2; turn <= 20; turn++) {
    await page.clock.runFor(1000);
    await expect.poll(count).toBe(turn); // also beyond the 15 seconds of silence
  }
});

test("W4 a page that has spoken gets messages though its pictures never load", async ({ partnerPage, page }) => {
  await page.route("**/never.png", () => undefined);
  await partnerPage.open();
  await page.evaluate(
    (configuration) =>
      window.harness.mount({ token: "pictures", environment: "dev", path: "/pictures", redirect: configuration }),
    redirect,
  );
  const heard = () =>
    page
      .frames()
      .find((frame) => frame.url().includes("token=pictures"))
      ?.evaluate(() => ["heard" in window && window.heard.configurations[0], document.readyState]);
  await expect.poll(heard).toEqual([redirect, "interactive"]);
});

test("W6 onEvent receives RESIZE and NAVIGATION_NO_BACK with every field, and no other message", async ({
  partnerPage,
}) => {
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  await postFrom(
    frame,
    '{"type":"RESIZE","payload":{"identifier":null,"height":-50,"width":3.5,"reason":"x"},"extra":1}',
  );
  await postFrom(frame, '{"type":"RESIZE","payload":{"identifier":"b","height":2,"width":2}}');
  await expect
    .poll(() => partnerPage.events())
    .toEqual([
      { type: "RESIZE", payload: { identifier: null, height: -50, width: 3.5, reason: "x" } },
      { type: "RESIZE", payload: { identifier: "b", height: 2, width: 2 } },
    ]);
  await postFrom(frame, '{"type":"NAVIGATION_NO_BACK","payload":{"url":"/orders/1"}}');
  await expect
    .poll(async () => (await partnerPage.events()).at(-1))
    .toEqual({ type: "NAVIGATION_NO_BACK", payload: { url: "/orders/1" } });
});

test("W3 a frame without a valid message for 15 seconds raises one event and sends no message", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  await page.clock.runFor(14_999);
  expect(await partnerPage.events()).toEqual([]);
  await page.clock.runFor(1);
  expect(await partnerPage.events()).toEqual([{ type: "WIDGET_LOAD_TIMEOUT", payload: {} }]);
  await page.clock.runFor(60_000);
  expect(await partnerPage.events()).toEqual([{ type: "WIDGET_LOAD_TIMEOUT", payload: {} }]);
  expect(await frame.evaluate(() => (window as unknown as { heard: Heard[] }).heard)).toEqual([]);
});

test("W3 a frame that has sent a valid message raises no such event", async ({ partnerPage, page }) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted();
  await postFrom(frame, '{"type":"NAVIGATION_NO_BACK","payload":{"url":"/1"}}');
  const heard = async () => {
    await page.clock.runFor(10);
    return (await partnerPage.events("NAVIGATION_NO_BACK")).length;
  };
  await expect.poll(heard).toBe(1);
  await page.clock.runFor(60_000);
  expect(await partnerPage.events("WIDGET_LOAD_TIMEOUT")).toEqual([]);
});

test("W6 an exception in the partner's onEvent is reported and interrupts nothing", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  await page.evaluate(() => {
    window.harness.events.push = () => {
      throw new Error("partner's bug");
    };
  });
  await postFrom(frame, '{"type":"NAVIGATION_NO_BACK","payload":{"url":"/1"}}');
  await expect.poll(() => partnerPage.consoleLines).toContain("pageerror: partner's bug");
  await page.evaluate(() => delete (window.harness.events as { push?: unknown }).push);
  await postFrom(frame, '{"type":"NAVIGATION_NO_BACK","payload":{"url":"/2"}}');
  await expect.poll(() => partnerPage.events()).toEqual([{ type: "NAVIGATION_NO_BACK", payload: { url: "/2" } }]);
});
