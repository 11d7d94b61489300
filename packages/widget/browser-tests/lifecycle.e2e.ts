import { partner, service } from "./origins.ts";
import { entries, expect, postFrom, redirect, settled, test } from "./partner-page.ts";

for (const entry of entries) {
  test(`W1 ${entry}: mounting and unmounting fifty times leaves nothing behind`, async ({ partnerPage, page }) => {
    await page.addInitScript(() => {
      const counts = { listeners: 0, intervals: 0 };
      Object.assign(window, { counts });
      for (const target of [window, document]) {
        const { addEventListener, removeEventListener } = target;
        target.addEventListener = function (this: EventTarget, ...given: Parameters<typeof addEventListener>) {
          if (given[0] === "message" || given[0] === "keydown") counts.listeners++;
          return addEventListener.apply(this, given);
        };
        target.removeEventListener = function (this: EventTarget, ...given: Parameters<typeof removeEventListener>) {
          if (given[0] === "message" || given[0] === "keydown") counts.listeners--;
          return removeEventListener.apply(this, given);
        };
      }
      const { setInterval: set, clearInterval: clear } = window;
      const running = new Set<unknown>();
      window.setInterval = ((...given: Parameters<typeof set>) => {
        const id = set(...given);
        running.add(id);
        counts.intervals = running.size;
        return id;
      }) as typeof set;
      window.clearInterval = ((id: number) => {
        running.delete(id);
        counts.intervals = running.size;
        clear(id);
      }) as typeof clear;
    });
    const frame = await partnerPage.mounted({ entry }, { redirect });
    await partnerPage.askForPayment(frame); // loads the provider's script
    await page.evaluate(() => window.harness.unmount());
    const state = () =>
      page.evaluate(() => ({
        ...(window as unknown as { counts: object }).counts,
        frames: document.querySelectorAll("#host iframe, .farthing-modal").length,
        sheets: document.adoptedStyleSheets.length,
        inert: document.querySelectorAll("[inert]").length,
        overflow: getComputedStyle(document.documentElement).overflow,
      }));
    const before = await state();
    expect(before).toMatchObject({ frames: 0, intervals: 0, inert: 0, overflow: "visible" });
    for (let i = 0; i < 50; i++) {
      await page.evaluate((n) => window.harness.mount({ token: `round-${n}`, environment: "dev", path: "/silent" }), i);
      if (i % 10 === 0) await partnerPage.frame(`round-${i}`); // some frames load, others are interrupted
      await page.evaluate(() => window.harness.unmount());
    }
    expect(await state()).toEqual(before);
  });
}

test("W1 StrictMode makes one frame, one request that spends the token, one event per message, and none after unmounting", async ({
  partnerPage,
  page,
  request,
}) => {
  const token = `strict-mode-${Math.random()}`;
  const frame = await partnerPage.mounted({ entry: "react" }, { token, path: "/silent" });
  await expect(page.locator("iframe")).toHaveCount(1);
  await postFrom(frame, '{"type":"NAVIGATION_NO_BACK","payload":{"url":"/done"}}');
  await expect.poll(() => partnerPage.events()).toEqual([{ type: "NAVIGATION_NO_BACK", payload: { url: "/done" } }]);
  const log = (await (await request.get(`${service}/requests`)).json()) as { url: string }[];
  expect(log.filter(({ url }) => url.includes(token))).toHaveLength(1);
  await page.evaluate(() => window.harness.unmount());
  await expect(page.locator("iframe")).toHaveCount(0);
});

test("W1 React: rendering the same values keeps the frame, a new token replaces it", async ({ partnerPage, page }) => {
  await partnerPage.mounted({ entry: "react" }, { token: "one", redirect });
  await page.locator("iframe").evaluate((frame) => (frame.dataset.mark = "first"));
  await page.evaluate(
    (configuration) =>
      window.harness.update({ token: "one", environment: "dev", path: "/", redirect: structuredClone(configuration) }),
    redirect,
  );
  await expect(page.locator("iframe[data-mark=first]")).toHaveCount(1);
  await page.evaluate(() => window.harness.update({ token: "two", environment: "dev", path: "/" }));
  await partnerPage.frame("two");
  await expect(page.locator("iframe")).toHaveCount(1);
  await expect(page.locator("iframe[data-mark=first]")).toHaveCount(0);
});

for (const entry of entries) {
  test(`W1 ${entry}: of two widgets on a page each reads its own frame, and one modal is open at a time`, async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.open({ entry });
    const first = await partnerPage.mount({ token: "one", redirect }, "host-one");
    const second = await partnerPage.mount({ token: "two" }, "host-two");
    await postFrom(first, '{"type":"NAVIGATION_NO_BACK","payload":{"url":"/first"}}');
    await postFrom(second, '{"type":"NAVIGATION_NO_BACK","payload":{"url":"/second"}}');
    await expect.poll(() => partnerPage.events("NAVIGATION_NO_BACK")).toHaveLength(2);
    await partnerPage.askForPayment(first);
    await second.evaluate(() =>
      window.connection.requestPayment({ ...window.payment, clientSecret: "pi_1234_secret_second" }),
    );
    await settled(page);
    await expect(partnerPage.dialog).toHaveCount(1);
    await expect(partnerPage.payButton).toBeEnabled();
    await partnerPage.payButton.click();
    await expect(partnerPage.dialog).toHaveCount(0);
    await expect.poll(() => second.evaluate(() => window.heard.completed.length)).toBe(1);
    expect(await first.evaluate(() => window.heard.completed)).toEqual([]);
    expect(await second.evaluate(() => window.heard.configurations)).toEqual([]); // only the first widget has one
  });

  test(`W1 ${entry}: inside a shadow root the frame looks the same, and the modal is in the page's body`, async ({
    partnerPage,
    page,
  }) => {
    const frame = await partnerPage.mounted({ entry, shadow: true });
    const inShadow = page.locator("#host iframe");
    await expect(inShadow).toHaveCSS("border-top-width", "0px");
    await expect(inShadow).toHaveCSS("height", "500px");
    await partnerPage.askForPayment(frame);
    expect(await page.evaluate(() => document.querySelector(".farthing-modal")!.parentElement === document.body)).toBe(
      true,
    );
    await partnerPage.payButton.click();
    await expect(partnerPage.dialog).toHaveCount(0);
    await expect(frame.locator("#pay")).toBeFocused();
  });
}

test("W1 unmounting during a payment removes the modal and logs nothing afterwards", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
  await partnerPage.payButton.click();
  await expect.poll(() => page.evaluate(() => Boolean(window.answerCard))).toBe(true);
  await page.evaluate(() => window.harness.unmount());
  await expect(partnerPage.dialog).toHaveCount(0);
  await page.evaluate(() => window.answerCard?.()); // the provider responds after unmounting
  await settled(page);
  expect(partnerPage.consoleLines.filter((line) => /^(error|warning|pageerror)/.test(line))).toEqual([]);
  expect(await page.evaluate(() => document.querySelectorAll("[inert]").length)).toBe(0);
});

test("W1 the widget works with attributes only, an async script with data attributes, and the same script twice", async ({
  partnerPage,
  page,
}) => {
  const attributes = `environment="staging" token="declared" path="/gift-cards?a=b" redirect='${JSON.stringify(redirect)}' class="shop" style="height:400px"`;
  const script = `data-environment="staging" data-base-url="${service}" data-publishable-key="pk_test_1"`;
  await page.goto(`${partner}/declarative?${new URLSearchParams({ attributes, script })}`);
  const frame = await partnerPage.frame("declared");
  expect(frame.url()).toBe(`${service}/redirect?path=%2Fgift-cards%3Fa%3Db&token=declared`);
  await expect.poll(() => frame.evaluate(() => window.heard.configurations[0])).toEqual(redirect);
  const heard = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const element = document.querySelector("farthing-widget")!;
        element.addEventListener("farthing-event", (event) =>
          resolve([(event as CustomEvent<{ type: string }>).detail.type, element.className, element.clientHeight]),
        );
        document.querySelector("iframe")!.style.width = "50%"; // the service's page reports its new size
      }),
  );
  expect(heard).toEqual(["RESIZE", "shop", 400]);
  expect(await page.evaluate(() => window.Farthing!.version)).toMatch(/^\d+\.\d+\.\d+$/);
  await expect(page.locator("iframe")).toHaveCount(1);
  expect(partnerPage.consoleLines.filter((line) => /^(error|pageerror)/.test(line))).toEqual([]);
});

test("W1 element: properties set before the script loads are kept; a token set in script is in no attribute", async ({
  partnerPage,
  page,
}) => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/farthing-widget.js", async (route) => {
    await arrival;
    await route.continue();
  });
  const script = `data-environment="dev" data-base-url="${service}" data-publishable-key="pk_test_1"`;
  await page.goto(`${partner}/declarative?${new URLSearchParams({ attributes: "", script })}`, { waitUntil: "commit" });
  await page.locator("farthing-widget").waitFor({ state: "attached" });
  await page.evaluate(() => {
    const early = document.querySelector("farthing-widget")!;
    Object.assign(early, { token: "kept-in-script", environment: "dev" }); // no class yet: plain fields of the instance
  });
  arrive();
  await partnerPage.frame("kept-in-script");
  expect(await page.evaluate(() => document.querySelector("farthing-widget")!.getAttributeNames())).toEqual(["style"]);
  await page.evaluate(() => document.querySelector("farthing-widget")!.remove());
  await expect(page.locator("iframe")).toHaveCount(0);
});

for (const entry of entries) {
  test(`W1 ${entry}: nothing is loaded while there is no token`, async ({ partnerPage, page }) => {
    await partnerPage.open({ entry });
    await page.evaluate(() => window.harness.mount({ token: "", environment: "dev" }));
    await settled(page);
    await expect(page.locator("iframe")).toHaveCount(0);
    await page.evaluate(() => window.harness.update({ token: "arrived", environment: "dev" }));
    await partnerPage.frame("arrived");
    await expect(page.locator("iframe")).toHaveCount(1);
  });
}
