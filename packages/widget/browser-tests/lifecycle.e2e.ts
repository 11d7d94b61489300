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

test("W1 W8 unmounting during a payment removes the modal, says so and later that the payment was taken, and logs nothing", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
  await partnerPage.payButton.click();
  await expect.poll(() => page.evaluate(() => Boolean(window.answerCard))).toBe(true);
  await page.evaluate(() => window.harness.unmount());
  await expect(partnerPage.dialog).toHaveCount(0);
  expect(await partnerPage.events("MODAL_CLOSED"), "a page that made room for the dialog can undo it").toHaveLength(1);
  await page.evaluate(() => window.answerCard?.()); // the provider responds after unmounting
  await expect
    .poll(() => partnerPage.events("PAYMENT_COMPLETE"))
    .toEqual([{ type: "PAYMENT_COMPLETE", payload: { context: { token: "ctx 1/é", order: 7 } } }]);
  expect(await partnerPage.events("MODAL_CLOSED")).toHaveLength(1);
  expect(partnerPage.consoleLines.filter((line) => /^(error|warning|pageerror)/.test(line))).toEqual([]);
  expect(await page.evaluate(() => document.querySelectorAll("[inert]").length)).toBe(0);
});

test("W1 W8 unmounting after a lost answer asks the provider, and says that the payment was taken", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardOffline: "all" }));
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toHaveLength(1);
  await page.evaluate(() => {
    Object.assign(window, { cardOffline: undefined });
    window.harness.unmount();
  });
  await expect.poll(() => partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
});

test("W1 unmounting during a payment that is declined says no more than that the form has closed", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 0002");
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
  await partnerPage.payButton.click();
  await expect.poll(() => page.evaluate(() => Boolean(window.answerCard))).toBe(true);
  await page.evaluate(() => window.harness.unmount());
  await page.evaluate(() => window.answerCard?.());
  await settled(page);
  expect(await partnerPage.events("MODAL_CLOSED")).toHaveLength(1);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toEqual([]);
  expect(await partnerPage.events("PAYMENT_ERROR")).toEqual([]);
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

for (const entry of entries) {
  test(`W1 ${entry}: an empty token removes the frame, and a new one shows another`, async ({ partnerPage, page }) => {
    await partnerPage.mounted({ entry }, { token: "logged-in" });
    await page.evaluate(() => window.harness.update({ token: "", environment: "dev", path: "/" }));
    await expect(page.locator("iframe")).toHaveCount(0);
    await page.evaluate(() => window.harness.update({ token: "again", environment: "dev", path: "/" }));
    await partnerPage.frame("again");
    await expect(page.locator("iframe")).toHaveCount(1);
  });

  test(`W1 ${entry}: without a path, or with null, the frame shows the front page`, async ({ partnerPage, page }) => {
    await partnerPage.mounted({ entry }, { token: "one", path: "/gift-cards" });
    await page.evaluate(() => window.harness.update({ token: "two", environment: "dev", path: null }));
    expect((await partnerPage.frame("two")).url()).toBe(`${service}/redirect?path=%2F&token=two`);
    expect(await partnerPage.events("LOAD_ERROR")).toEqual([]);
  });

  test(`W1 ${entry}: a new path with a used token keeps the frame, and tells the developer once`, async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.mounted({ entry }, { token: "one" });
    await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
    for (let i = 0; i < 2; i++) {
      await page.evaluate(() => window.harness.update({ token: "one", environment: "dev", path: "/offers" }));
      await settled(page);
    }
    const message = "farthing-widget: a new path needs a new token";
    expect(await partnerPage.events("LOAD_ERROR")).toEqual([
      { type: "LOAD_ERROR", payload: { reason: "set_up", message } },
    ]);
    expect(partnerPage.consoleLines.filter((line) => line === `error: ${message}`)).toHaveLength(1);
    expect(await page.locator("iframe").getAttribute("src")).toBe(`${service}/redirect?path=%2F&token=one`);
    await page.evaluate(() => window.harness.update({ token: "two", environment: "dev", path: "/offers" }));
    expect((await partnerPage.frame("two")).url()).toContain("path=%2Foffers");
  });

  test(`W1 U1 ${entry}: a new frameTitle renames the frame`, async ({ partnerPage, page }) => {
    await partnerPage.mounted({ entry }, { token: "one", frameTitle: "Pay" });
    const title = () => page.locator("iframe").getAttribute("title");
    expect(await title()).toBe("Pay");
    await page.evaluate(() =>
      window.harness.update({ token: "one", environment: "dev", path: "/", frameTitle: "Payment of £12.34" }),
    );
    await expect.poll(title).toBe("Payment of £12.34");
    await page.evaluate(() =>
      window.harness.update({ token: "one", environment: "dev", path: "/", frameTitle: undefined }),
    );
    await expect.poll(title).toBe("Farthing");
  });

  test(`W1 ${entry}: the page's rules for all elements and for frames do not collapse the widget`, async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.open({ entry });
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { all: unset } iframe { height: auto !important; width: auto !important; max-width: 100% }");
      document.adoptedStyleSheets = [sheet];
      document.body.style.display = "block";
    });
    await partnerPage.mount({ token: "one" });
    expect(await page.locator("iframe").evaluate((frame) => (frame as HTMLElement).offsetHeight)).toBe(500);
    expect(await page.locator("iframe").evaluate((frame) => (frame as HTMLElement).offsetWidth)).toBeGreaterThan(1000);
  });
}

test("W1 element: without its path attribute it shows the front page, and without its token attribute nothing", async ({
  partnerPage,
  page,
}) => {
  const script = `data-environment="dev" data-base-url="${service}" data-publishable-key="pk_test_1"`;
  const attributes = `environment="dev" token="one" path="/gift-cards" style="height:400px"`;
  await page.goto(`${partner}/declarative?${new URLSearchParams({ attributes, script })}`);
  await partnerPage.frame("one");
  await page.evaluate(() => {
    document.querySelector("farthing-widget")!.removeAttribute("path");
    document.querySelector("farthing-widget")!.setAttribute("token", "two");
  });
  expect((await partnerPage.frame("two")).url()).toBe(`${service}/redirect?path=%2F&token=two`);
  await page.evaluate(() => document.querySelector("farthing-widget")!.removeAttribute("token"));
  await expect(page.locator("iframe")).toHaveCount(0);
  expect(partnerPage.consoleLines.filter((line) => line.startsWith("error"))).toEqual([]);
});

test("W1 script: update also sets className and style", async ({ partnerPage, page }) => {
  await partnerPage.open();
  await page.evaluate(() => {
    const properties = { token: "one", environment: "dev" } as const;
    const widget = window.Farthing.mount("#host", { ...properties, className: "shop", style: { height: "500px" } });
    widget.update({ ...properties, className: "shop is-wide", style: { height: "640px" } });
  });
  const host = page.locator("#host");
  await expect(host).toHaveClass("shop is-wide");
  await expect(host).toHaveCSS("height", "640px");
});

for (const giftCards of [false, true]) {
  test(`W1 G1 script${giftCards ? ", gift cards" : ""}: mounting into the same element again replaces what was there`, async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.open({ giftCards });
    await page.evaluate((isPortal) => {
      const { mount } = isPortal ? window.FarthingGiftCards : window.Farthing;
      const first = mount("#host", { token: "one", environment: "dev" });
      mount("#host", { token: "two", environment: "dev" });
      first.update({ token: "three", environment: "dev" });
      first.destroy();
    }, giftCards);
    await partnerPage.frame("two");
    await expect(page.locator("iframe")).toHaveCount(1);
    if (giftCards) await expect(page.locator("#host")).toHaveCSS("height", "600px"); // still the second portal's
  });
}
