import type { Request } from "@playwright/test";
import { clickInFrame } from "./click-in-frame.ts";
import { expect, intent, postFrom, redirect, settled, test } from "./partner-page.ts";
import { styleSheets } from "./fixtures/style-sheets.ts";
import { partner, service } from "./origins.ts";

test.describe("W7 a partner's style sheet does not reach the modal", () => {
  /** What the modal's own style sheet decides: computed styles and boxes of each of its elements, and of their pseudo-elements. */
  function measure(): unknown {
    const overlay = document.querySelector(".farthing-modal")!;
    const fields = overlay.querySelector(".__PrivateStripeElement");
    const properties = [...getComputedStyle(document.body)];
    return [overlay, ...overlay.querySelectorAll("*")]
      .filter((element) => element !== fields && !fields?.contains(element))
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        return {
          element: `${element.tagName} ${element.getAttribute("role") ?? ""}`,
          box: [x, y, width, height],
          before: getComputedStyle(element, "::before").content,
          after: getComputedStyle(element, "::after").content,
          style: Object.fromEntries(
            properties.filter((name) => !name.startsWith("--")).map((name) => [name, style.getPropertyValue(name)]),
          ),
        };
      });
  }

  for (const [name, css] of Object.entries(styleSheets)) {
    test(`in the manner of ${name}: every size and style stays: loading, failed, ready, processing and declined`, async ({
      partnerPage,
      page,
    }) => {
      await page.emulateMedia({ reducedMotion: "reduce" }); // measures the modal at rest
      const frame = await partnerPage.mounted({}, { showPaymentErrors: true });
      await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
      const states = async (number: number) => {
        // The amount is not answered at first: the modal stays as it is while it loads.
        await frame.evaluate(
          (clientSecret) => Object.assign(window.payment, { clientSecret }),
          `pi_1234_hung_${number}`,
        );
        await clickInFrame(frame.locator("#pay"));
        await expect(partnerPage.dialog.locator("iframe")).toBeAttached();
        await expect(partnerPage.dialog).toHaveAttribute("aria-busy", "true");
        await partnerPage.dialog.focus();
        await page.mouse.move(1, 1);
        const loading = await page.evaluate(measure);
        await page.keyboard.press("Escape");
        await frame.evaluate(
          (clientSecret) => Object.assign(window.payment, { clientSecret }),
          `pi_1234_unknown_${number}`,
        );
        await clickInFrame(frame.locator("#pay"));
        await expect(partnerPage.dialog.getByRole("alert")).toHaveText("The payment form did not load.");
        await partnerPage.dialog.focus();
        const failed = await page.evaluate(measure);
        await page.keyboard.press("Escape");
        await partnerPage.askForPayment(frame, { clientSecret: `pi_1234_secret_${number}` });
        await partnerPage.dialog.focus();
        await page.mouse.move(1, 1);
        const ready = await page.evaluate(measure);
        await partnerPage.typeCard("4000 0000 0000 0002");
        await partnerPage.payButton.click();
        await expect(partnerPage.payButton).toBeDisabled();
        await page.mouse.move(1, 1);
        const processing = await page.evaluate(measure);
        await page.evaluate(() => window.answerCard?.());
        await expect(partnerPage.dialog.getByRole("alert")).toHaveText("Your card was declined.");
        await page.mouse.move(1, 1);
        const declined = await page.evaluate(measure);
        await page.keyboard.press("Escape");
        return { loading, failed, ready, processing, declined };
      };
      const without = await states(1);
      const own = () =>
        page.evaluate(() =>
          Array.from(getComputedStyle(document.querySelector("#own-button")!), String).map((name) =>
            getComputedStyle(document.querySelector("#own-button")!).getPropertyValue(name),
          ),
        );
      const ownBefore = await own();
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]; // after the modal's own: the worst order
      }, css);
      expect(await own()).not.toEqual(ownBefore); // control: the sheet reaches the page's own button
      expect(await states(2)).toEqual(without);
    });
  }
});

test.describe("W7 one deadline of 15 seconds from the intent to a usable form", () => {
  const hung = {
    "the provider's script": { hang: "**/card.js*" },
    "the form": { cardMode: "never-ready" },
    "the amount": { secret: "pi_1234_hung_secret_1" },
  };
  for (const [what, { hang, cardMode, secret }] of Object.entries(hung) as [
    string,
    { hang?: string; cardMode?: string; secret?: string },
  ][]) {
    test(`${what} hangs: the payer can try again, and the host gets the reason`, async ({ partnerPage, page }) => {
      let hanging = true;
      let requests = 0;
      if (hang) {
        await page.route(hang, (route) => {
          requests++;
          return hanging ? undefined : route.continue();
        });
      }
      await partnerPage.stopTime();
      const frame = await partnerPage.mounted(cardMode ? { cardMode } : {});
      await frame.evaluate((changes) => Object.assign(window.payment, changes), secret ? { clientSecret: secret } : {});
      await clickInFrame(frame.locator("#pay"));
      await expect(partnerPage.dialog).toHaveAttribute("aria-busy", "true");
      if (hang) await expect.poll(() => requests).toBe(1);
      await page.clock.runFor(14_999);
      expect(await partnerPage.events("LOAD_ERROR")).toEqual([]);
      await page.clock.runFor(1);
      const again = partnerPage.dialog.getByRole("button", { name: "Try again" });
      await expect(again).toBeEnabled();
      await expect(partnerPage.dialog.getByRole("alert")).toHaveText("The payment form did not load.");
      expect(await partnerPage.events("LOAD_ERROR")).toMatchObject([{ payload: { reason: "card_form_timeout" } }]);
      expect(await partnerPage.events("PAYMENT_ERROR")).toMatchObject([{ payload: { code: "provider_not_loaded" } }]);
      await expect(partnerPage.dialog.locator("iframe")).toHaveCount(0); // the hung form is gone

      hanging = false;
      await page.evaluate(() => Object.assign(window, { cardMended: true }));
      await again.click();
      await expect(partnerPage.dialog.getByRole("button", { name: "Pay £12.34" })).toBeEnabled();
      await page.clock.runFor(60_000);
      expect(await partnerPage.events("LOAD_ERROR")).toHaveLength(1);
      await partnerPage.payButton.click();
      await page.clock.runFor(100);
      await expect(partnerPage.dialog).toHaveCount(0);
    });
  }

  test("a hung script is forgotten when the modal closes: asking again starts anew", async ({ partnerPage, page }) => {
    let requests = 0;
    await page.route("**/card.js*", (route) => (++requests === 1 ? undefined : route.continue()));
    const frame = await partnerPage.mounted();
    await clickInFrame(frame.locator("#pay"));
    await expect.poll(() => requests).toBe(1);
    await page.keyboard.press("Escape");
    await expect(page.locator("script[src*='card.js']")).toHaveCount(0);
    await partnerPage.askForPayment(frame);
    expect(requests).toBe(2);
  });

  test("the widget's own payment part hangs: the host gets the reason, and asking again starts anew", async ({
    partnerPage,
    page,
  }) => {
    let hanging = true;
    await page.route("**/farthing-widget-payment.js", (route) => (hanging ? undefined : route.continue()));
    await partnerPage.stopTime();
    const frame = await partnerPage.mounted();
    await clickInFrame(frame.locator("#pay"));
    await expect(page.locator("script[src*='widget-payment']")).toHaveCount(2); // ahead of the payment, and for it
    await page.clock.runFor(15_000);
    await expect
      .poll(() => partnerPage.events("LOAD_ERROR"))
      .toMatchObject([{ payload: { reason: "card_form_timeout" } }]);
    hanging = false;
    await partnerPage.askForPayment(frame);
  });
});

test.describe("W7 a package's own payment part that does not come", () => {
  const isChunk = (url: URL) => url.pathname.startsWith("/react-modules/take-payment");
  const isService = (request: Request) =>
    /^\/widget\/\d+\.\d+\.\d+\/farthing-widget-payment\.js$/.test(new URL(request.url()).pathname) &&
    request.url().startsWith(service);

  test("hangs: the host gets the reason, and the next attempt is another request, to the service", async ({
    partnerPage,
    page,
  }) => {
    await page.route(isChunk, () => undefined);
    await partnerPage.stopTime();
    const asked = page.waitForRequest((request) => isChunk(new URL(request.url())));
    const frame = await partnerPage.mounted({ entry: "react-modules" });
    await asked;
    await clickInFrame(frame.locator("#pay"));
    // The clock runs until the page, which has to receive the intent first, gives up.
    await expect
      .poll(async () => {
        await page.clock.runFor(15_000);
        return partnerPage.events("LOAD_ERROR");
      })
      .toMatchObject([{ payload: { reason: "card_form_timeout" } }]);
    const again = page.waitForRequest(isService);
    await partnerPage.askForPayment(frame);
    await again;
    await partnerPage.payButton.click();
    await page.clock.runFor(100);
    await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
  });

  test("fails ahead of the payment: the payment finds it at the service", async ({ partnerPage, page }) => {
    await page.route(isChunk, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => isChunk(new URL(request.url())));
    const frame = await partnerPage.mounted({ entry: "react-modules" });
    await failed;
    await settled(page);
    const asked = page.waitForRequest(isService);
    await partnerPage.askForPayment(frame);
    await asked;
    expect(await partnerPage.events("LOAD_ERROR")).toEqual([]);
  });

  test("control: without a fault the service's file is not asked for", async ({ partnerPage, page }) => {
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("farthing-widget-payment") && asked.push(request.url()));
    const frame = await partnerPage.mounted({ entry: "react-modules" });
    await partnerPage.askForPayment(frame);
    expect(asked).toEqual([]);
  });
});

test("W7 the form keeps its style where the page replaces its adopted style sheets", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await page.keyboard.press("Escape");
  const own = await page.evaluate(() => (document.adoptedStyleSheets = [new CSSStyleSheet()]).length);
  for (let turn = 0; turn < 2; turn++) {
    await partnerPage.askForPayment(frame);
    await expect(page.locator(".farthing-modal")).toHaveCSS("position", "fixed");
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(own + 1);
    await page.keyboard.press("Escape");
  }
});

test("W1 a widget that was destroyed does nothing when it is updated", async ({ partnerPage, page }) => {
  await partnerPage.mounted({}, { path: "/silent" });
  await page.evaluate(
    ([token, redirect]) => {
      const host = document.body.appendChild(document.createElement("section"));
      const properties = { token, environment: "dev", path: "/silent" } as const;
      const widget = window.Farthing!.mount(host, properties);
      widget.destroy();
      Object.assign(window, { intervals: 0 });
      const { setInterval: set } = window;
      window.setInterval = ((...given: Parameters<typeof set>) => {
        (window as unknown as { intervals: number }).intervals++;
        return set(...given);
      }) as typeof set;
      widget.update({ ...properties, redirect });
      host.id = "destroyed";
    },
    ["gone", redirect] as const,
  );
  await settled(page);
  await expect(page.locator("#destroyed iframe")).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { intervals: number }).intervals)).toBe(0);
});

test("W7 S1 a payment part that is not the one of the widget's build is not run", async ({ partnerPage, page }) => {
  await page.route("**/farthing-widget-payment.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "window.stolen = true" }),
  );
  const frame = await partnerPage.mounted();
  await clickInFrame(frame.locator("#pay"));
  await expect.poll(() => partnerPage.events("LOAD_ERROR")).toMatchObject([{ payload: { reason: "card_form" } }]);
  expect(await page.evaluate(() => "stolen" in window)).toBe(false);
});

test("W1 elements named Farthing and Stripe do not get in the way", async ({ partnerPage, page }) => {
  await page.addInitScript(() => {
    document.addEventListener("readystatechange", () => {
      for (const id of ["Farthing", "Stripe"]) {
        if (!document.getElementById(id) && document.body) {
          document.body.prepend(Object.assign(document.createElement("div"), { id }));
        }
      }
    });
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      for (const id of ["Farthing", "Stripe"]) {
        document.body.prepend(Object.assign(document.createElement("form"), { id }));
      }
    }).observe(document, { childList: true, subtree: true });
  });
  const frame = await partnerPage.mounted();
  await expect(page.locator("form#Stripe")).toBeAttached();
  await partnerPage.askForPayment(frame);
  await partnerPage.payButton.click();
  await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
});

test("W7 the script and the package's copy on one page open one modal", async ({ partnerPage, page }) => {
  await partnerPage.open({ entry: "react" });
  const second = await partnerPage.mount({ token: "package" });
  const reactHarness = await page.evaluateHandle(() => window.harness);
  await page.addScriptTag({ url: "/farthing-widget.js" });
  await page.addScriptTag({ url: "/script-page.js" });
  const first = await partnerPage.mount({ token: "script" }, "other");
  await partnerPage.askForPayment(first);
  await second.evaluate(() =>
    window.connection.requestPayment({ ...window.payment, paymentAmount: 5, clientSecret: "pi_500_secret_2" }),
  );
  await expect(partnerPage.payButton).toHaveText("Pay £5.00");
  await expect(partnerPage.dialog).toHaveCount(1);
  await expect(partnerPage.payButton).toBeEnabled();
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
  await partnerPage.payButton.click();
  await expect(partnerPage.payButton).toBeDisabled();
  await first.evaluate(() => window.connection.requestPayment({ ...window.payment, clientSecret: "pi_1234_secret_3" }));
  await settled(page);
  await expect(partnerPage.dialog).toHaveCount(1);
  await expect(partnerPage.payButton).toHaveText("Pay £5.00");
  await reactHarness.dispose();
});

test("U1 the dialog says its language on a page of another one", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await page.evaluate(() => (document.documentElement.lang = "de"));
  await partnerPage.askForPayment(frame);
  expect(await partnerPage.dialog.evaluate((dialog) => dialog.closest<HTMLElement>("[lang]")!.lang)).toBe("en");
});

test("U1 the dialog's own words follow the locale, and say their language", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted({}, { locale: "fr-CA" });
  await clickInFrame(frame.locator("#pay"));
  const dialog = page.getByRole("dialog", { name: "Paiement" });
  await expect(dialog.getByRole("button", { name: /^Payer 12,34\s£$/ })).toBeEnabled();
  await expect(dialog.getByRole("heading")).toHaveText("Paiement");
  expect(await dialog.evaluate((element) => element.closest<HTMLElement>("[lang]")!.lang)).toBe("fr");
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
  await dialog.getByRole("button").click();
  await expect(dialog.getByRole("status")).toHaveText("Paiement en cours");
  await page.evaluate(() => window.answerCard?.());
  await expect(dialog).toHaveCount(0);
  await postFrom(frame, intent({ clientSecret: "pi_500_canceled_secret_1" }));
  await expect(dialog.getByRole("alert")).toHaveText("Le formulaire de paiement ne s’est pas chargé.");
  await expect(dialog.getByRole("button")).toHaveText("Fermer");
});

test("W6 NAVIGATION_NO_BACK is raised once per animation frame, with the latest address", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  await frame.evaluate((origin) => {
    for (let n = 1; n <= 5000; n++) {
      parent.postMessage(JSON.stringify({ type: "NAVIGATION_NO_BACK", payload: { url: `/${n}` } }), origin);
    }
  }, partner);
  await expect
    .poll(async () => (await partnerPage.events()).at(-1))
    .toEqual({ type: "NAVIGATION_NO_BACK", payload: { url: "/5000" } });
  await settled(page);
  expect((await partnerPage.events()).length).toBeLessThan(1000);
});

test("W7 less than a penny opens no modal, and the host gets the reason", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await postFrom(frame, intent({ paymentAmount: 0.001 }));
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "amount_not_confirmed" } }]);
  await settled(page);
  await expect(partnerPage.dialog).toHaveCount(0);
});

test("W7 an intent that is already paid is not offered for payment again", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted({ cardMode: "loaderror" }); // the provider shows no form for it
  await postFrom(frame, intent({ clientSecret: "pi_500_paid_secret_1", context: { token: "ctx" } }));
  await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx" }]);
  await expect(partnerPage.dialog).toHaveCount(0);
  expect(await partnerPage.confirmations()).toEqual([]);
  expect(await page.evaluate(() => document.querySelectorAll("[inert]").length)).toBe(0);
});

test("W7 a cancelled intent can't be paid or tried again", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted();
  await postFrom(frame, intent({ clientSecret: "pi_500_canceled_secret_1" }));
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toMatchObject([{ payload: { code: "not_payable" } }]);
  await expect(partnerPage.payButton).toHaveText("Close");
});

test("W8 the challenge's frame goes when the widget is removed; the provider's own frames stay", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 3220");
  await partnerPage.payButton.click();
  const challenge = page.locator('iframe[name="__privateStripeFrame3"]');
  await expect(challenge).toBeVisible();
  await page.evaluate(() => window.harness.unmount());
  await expect(challenge).toHaveCount(0);
  await expect(page.locator("iframe[name=__privateStripeController1]")).toBeAttached();
  expect(await page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 2)!.tagName)).not.toBe(
    "DIV",
  );
});

test("W6 the host learns of each step: READY, the modal opened and closed, the payment complete", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await expect.poll(() => partnerPage.events("READY")).toEqual([{ type: "READY", payload: {} }]);
  await partnerPage.askForPayment(frame);
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  const types = await page.evaluate(() => window.harness.events.map(({ type }) => type));
  expect(types.filter((type) => type !== "RESIZE")).toEqual([
    "READY",
    "MODAL_OPENED",
    "MODAL_CLOSED",
    "PAYMENT_COMPLETE",
  ]);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toEqual([
    { type: "PAYMENT_COMPLETE", payload: { context: { token: "ctx 1/é", order: 7 } } },
  ]);
});

test("W3 a page that reports a problem, such as a spent token, tells the host at once", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  await postFrom(
    frame,
    '{"type":"RESIZE","payload":{"identifier":"load-error","height":300,"width":300,"status":410,"reason":"token_spent"}}',
  );
  await expect.poll(() => partnerPage.events("LOAD_ERROR")).toMatchObject([{ payload: { reason: "token_spent" } }]);
  await page.clock.runFor(60_000);
  expect(await partnerPage.events("LOAD_ERROR")).toHaveLength(1);
  expect(await partnerPage.events("READY")).toEqual([]);
});

test("W3 W9 the host hears of a problem that a person walks into later, once, and of the way back", async ({
  partnerPage,
}) => {
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  const size = (fields: object) => JSON.stringify({ type: "RESIZE", payload: { height: 300, width: 300, ...fields } });
  const problem = (reason: string) => size({ identifier: "load-error", status: 404, reason });
  const steps = async () => {
    const events = await partnerPage.page.evaluate(() => window.harness.events);
    return events.flatMap((event) =>
      event.type === "READY" ? ["READY"] : event.type === "LOAD_ERROR" ? [event.payload.reason] : [],
    );
  };
  for (const message of [size({}), problem("not-found"), problem("not-found"), size({}), problem("session-ended")])
    await postFrom(frame, message);
  await expect.poll(steps).toEqual(["READY", "not-found", "READY", "session-ended"]);
  await partnerPage.page.evaluate(() => window.harness.update({ token: "new", environment: "dev", path: "/" }));
  await partnerPage.frame("new");
  await expect.poll(steps).toEqual(["READY", "not-found", "READY", "session-ended", "READY"]);
});

test("W3 W9 a page that reported a problem is ready only once it reports its size without one", async ({
  partnerPage,
}) => {
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  const size = (fields: object) => JSON.stringify({ type: "RESIZE", payload: { height: 300, width: 300, ...fields } });
  const states = async () =>
    (await partnerPage.page.evaluate(() => window.harness.events)).flatMap(({ type }) =>
      type === "READY" || type === "LOAD_ERROR" || type === "NAVIGATION_NO_BACK" ? [type] : [],
    );
  await postFrom(frame, size({ identifier: "load-error", status: 404, reason: "not-found" }));
  // A link of the error page, which its script opens outside.
  await postFrom(frame, '{"type":"OPEN_URL","payload":{"url":"https://shop.example/","newTab":true}}');
  await postFrom(frame, '{"type":"NAVIGATION_NO_BACK","payload":{"url":"/1"}}');
  await expect.poll(states).toEqual(["LOAD_ERROR", "NAVIGATION_NO_BACK"]);
  await postFrom(frame, size({}));
  await expect.poll(states).toEqual(["LOAD_ERROR", "NAVIGATION_NO_BACK", "READY"]);
});

test("W3 W9 a page whose session ends says so, and stays where it is", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted();
  await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
  await frame.evaluate(() => window.connection.fail({ status: 401, reason: "session-ended" }));
  await expect.poll(() => partnerPage.events("LOAD_ERROR")).toMatchObject([{ payload: { reason: "session-ended" } }]);
  await frame.evaluate(() => (document.body.style.minHeight = "900px"));
  await expect
    .poll(async () => (await partnerPage.events("RESIZE")).at(-1))
    .toMatchObject({ payload: { identifier: "load-error", status: 401, reason: "session-ended" } });
  await expect
    .poll(async () => ((await partnerPage.events("RESIZE")).at(-1) as { payload: { height: number } }).payload.height)
    .toBeGreaterThan(899);
  expect(await partnerPage.events("LOAD_ERROR")).toHaveLength(1);
});

test("W3 READY follows when a frame that was reported as silent speaks after all", async ({ partnerPage, page }) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  await page.clock.runFor(5000);
  await expect.poll(() => partnerPage.events("LOAD_ERROR")).toHaveLength(1);
  expect(await partnerPage.events("READY")).toEqual([]);
  await postFrom(frame, '{"type":"RESIZE","payload":{"height":300,"width":300}}');
  await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
});

test("W3 a page that has loaded and sends nothing is reported after five seconds", async ({ partnerPage, page }) => {
  await partnerPage.stopTime();
  await partnerPage.mounted({}, { path: "/silent" });
  await page.waitForFunction(() => document.querySelector("iframe")!.contentWindow !== null);
  await page.clock.runFor(5000);
  await expect.poll(() => partnerPage.events("LOAD_ERROR")).toMatchObject([{ payload: { reason: "frame_silent" } }]);
  await page.clock.runFor(60_000);
  expect(await partnerPage.events("LOAD_ERROR")).toHaveLength(1);
});

test("W3 a widget that is not shown is ready, is never reported as silent, and has its size once it is shown", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.stopTime();
  await partnerPage.open();
  await page.evaluate(() => (document.body.hidden = true));
  await partnerPage.mount();
  await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
  await page.clock.runFor(60_000);
  expect(await partnerPage.events("LOAD_ERROR")).toEqual([]);
  expect(await partnerPage.events("WIDGET_LOAD_TIMEOUT")).toEqual([]);
  await page.evaluate(() => (document.body.hidden = false));
  await expect
    .poll(async () => {
      await page.clock.runFor(100);
      const sizes = await partnerPage.events("RESIZE");
      return (sizes.at(-1)?.payload as { height?: number } | undefined)?.height;
    })
    .toBeGreaterThan(0);
});

test("W1 by script, style can be declarations as in HTML, and update adds to them", async ({ partnerPage, page }) => {
  await partnerPage.open();
  const style = await page.evaluate(() => {
    const properties = { token: "one", environment: "dev", path: "/", style: "height: 321px; width: 40%" } as const;
    const widget = window.Farthing!.mount("#host", properties);
    widget.update({ ...properties, style: "height: 400px" });
    const { height, width } = document.querySelector<HTMLElement>("#host")!.style;
    return { height, width };
  });
  expect(style).toEqual({ height: "400px", width: "40%" });
});

test.describe("W1 each mistake in the set-up is one sentence on the console and an event", () => {
  const mistakes: Record<string, [attributes: string, sentence: RegExp]> = {
    "no environment": ['token="t"', /environment is missing: write environment="production"/],
    "an unknown environment": ['token="t" environment="live"', /environment "live" needs .*data-base-url/],
    "a wrong path": ['token="t" environment="staging" path="pay"', /path must be like "\/pay"/],
    "an empty redirect": ['token="t" environment="staging" redirect="{}"', /redirect must be \{ paymentSuccess/],
    "a redirect that is not JSON": [
      'token="t" environment="staging" redirect="{x}"',
      /the attribute redirect must be JSON/,
    ],
  };
  for (const [name, [attributes, sentence]] of Object.entries(mistakes)) {
    test(`element: ${name}`, async ({ partnerPage, page }) => {
      await page.addInitScript(() => {
        const heard: unknown[] = [];
        Object.assign(window, { heard });
        document.addEventListener("farthing-event", (event) => heard.push((event as CustomEvent).detail), true);
      });
      const script = `data-environment="staging" data-base-url="${service}" data-publishable-key="pk_test_1"`;
      await page.goto(`${partner}/declarative?${new URLSearchParams({ attributes, script })}`);
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard))
        .toContainEqual({
          type: "LOAD_ERROR",
          payload: { reason: "set_up", message: expect.stringMatching(sentence) as unknown },
        });
      const lines = partnerPage.consoleLines.filter((line) => !line.includes("Failed to load resource"));
      expect(lines).toEqual([expect.stringMatching(sentence)]);
      expect(lines[0]).toMatch(/^error: farthing-widget: /);
    });
  }

  test("script: a wrong property throws the sentence, and the event and the console have it too", async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.open();
    for (const [properties, sentence] of [
      [{ token: "t" }, /environment is missing/],
      [{ token: "t", environment: "dev", redirect: {} }, /redirect must be/],
      [{ token: {}, environment: "dev" }, /token must be the string/],
    ] as const) {
      await page.evaluate(() => void (window.harness.events.length = 0));
      const mounting = page.evaluate((given) => window.harness.mount(given as never), properties);
      await expect(mounting).rejects.toThrow(sentence);
      expect(await partnerPage.events("LOAD_ERROR")).toMatchObject([{ payload: { reason: "set_up" } }]);
      expect(partnerPage.consoleLines.filter((line) => sentence.test(line))).toHaveLength(1);
    }
    await expect(page.evaluate(() => window.Farthing!.mount("#nowhere", {} as never))).rejects.toThrow(
      /nothing matches #nowhere/,
    );
  });

  test("script tag: an address without a key", async ({ partnerPage, page }) => {
    const query = new URLSearchParams({ attributes: "", script: `data-base-url="${service}"` });
    await page.goto(`${partner}/declarative?${query}`);
    await expect
      .poll(() => partnerPage.consoleLines)
      .toContainEqual("error: farthing-widget: the script tag needs both data-base-url and data-publishable-key");
  });
});

test.describe("W1 opt-in layout", () => {
  const size = (height: number) => JSON.stringify({ type: "RESIZE", payload: { height, width: 300 } });

  test("without autoHeight the frame fills its box; with it the height follows the content, within limits", async ({
    partnerPage,
    page,
  }) => {
    const frame = await partnerPage.mounted({}, { path: "/silent", autoHeight: true });
    const height = () => page.locator("#host iframe").evaluate((element) => element.clientHeight);
    await postFrom(frame, size(730.2));
    await expect.poll(height).toBe(731);
    await postFrom(frame, size(-5));
    await expect.poll(height).toBe(150);
    await page.evaluate(() => window.harness.unmount());
    const plain = await partnerPage.mount({ path: "/silent" });
    await postFrom(plain, size(730));
    await expect.poll(() => partnerPage.events("RESIZE")).toContainEqual(JSON.parse(size(730)));
    expect(await height()).toBe(500);
  });

  test("a content that is always taller than its frame does not grow for ever", async ({ partnerPage, page }) => {
    const frame = await partnerPage.mounted({}, { path: "/silent", autoHeight: true });
    await frame.evaluate((origin) => {
      const report = () =>
        parent.postMessage(
          JSON.stringify({ type: "RESIZE", payload: { height: innerHeight + 10, width: innerWidth } }),
          origin,
        );
      addEventListener("resize", report);
      report();
    }, partner);
    let last = -1;
    const steady = async () => {
      await settled(page);
      const now = (await partnerPage.events("RESIZE")).length;
      const same = now === last;
      last = now;
      return same;
    };
    await expect.poll(steady).toBe(true);
    expect(await page.locator("#host iframe").evaluate((element) => element.clientHeight)).toBeLessThanOrEqual(
      500 + 12 * 10,
    );
  });

  test("the skeleton is there until the page is ready", async ({ partnerPage, page }) => {
    const frame = await partnerPage.mounted({}, { path: "/silent", skeleton: true });
    const element = page.locator("#host iframe");
    await expect(element).toHaveAttribute("aria-busy", "true");
    await expect(element).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    await postFrom(frame, size(400));
    await expect(element).not.toHaveAttribute("aria-busy");
    await expect(element).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    expect(await element.evaluate((node) => node.getAnimations().length)).toBe(0);
  });

  test("a lazy widget loads when it comes near the view, and asks for its token then", async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.open();
    await page.evaluate(() => {
      document.querySelector<HTMLElement>("#host")!.style.marginTop = "5000px";
      window.harness.mount({ token: "", environment: "dev", loading: "lazy", frameTitle: "Pay the shop" });
    });
    await settled(page);
    expect(await page.evaluate(() => window.harness.events)).toEqual([]);
    await page.locator("#host").scrollIntoViewIfNeeded();
    await expect.poll(() => partnerPage.events("TOKEN_NEEDED")).toHaveLength(1);
    await expect(page.locator("#host iframe")).toHaveCount(0);
    await page.evaluate(() =>
      window.harness.update({ token: "late", environment: "dev", loading: "lazy", frameTitle: "Pay the shop" }),
    );
    await partnerPage.frame("late");
    await expect(page.locator("#host iframe")).toHaveAttribute("title", "Pay the shop");
  });

  test("locale and appearance reach the provider's form", async ({ partnerPage, page }) => {
    const appearance = { theme: "night", variables: { borderRadius: "0px" } };
    const frame = await partnerPage.mounted({}, { locale: "cy", appearance });
    await clickInFrame(frame.locator("#pay"));
    await expect(
      page.getByRole("dialog", { name: "Taliad" }).getByRole("button", { name: "Talu £12.34" }),
    ).toBeEnabled();
    expect(await page.evaluate(() => window.cardCalls.elements)).toEqual([
      { clientSecret: "pi_1234_secret_1", locale: "cy", appearance },
    ]);
  });
});

test("W1 element: frameworks that turn onEvent into a listener get the event itself", async ({ partnerPage, page }) => {
  await partnerPage.mounted({ entry: "element" });
  const heard = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const element = document.querySelector("farthing-widget")!;
        const found: unknown[] = [];
        for (const name of ["event", "Event"]) {
          element.addEventListener(name, (event) => {
            const { type, payload } = event as unknown as { type: string; payload: { height: number } };
            if (type !== "RESIZE") return; // READY may still be on its way
            found.push([type, typeof payload.height]);
            if (found.length === 2) resolve(found);
          });
        }
        document.querySelector("iframe")!.style.width = "50%";
      }),
  );
  expect(heard).toEqual([
    ["RESIZE", "number"],
    ["RESIZE", "number"],
  ]);
});

test("W1 React: id, role, aria and data attributes reach the box, and nothing else", async ({ partnerPage, page }) => {
  await partnerPage.open({ entry: "react" });
  await page.evaluate(() =>
    window.harness.mount({
      token: "t",
      environment: "dev",
      id: "shop",
      "aria-label": "Shop",
      "data-test": 1,
    } as never),
  );
  await expect(page.locator("#shop")).toHaveAttribute("aria-label", "Shop");
  expect((await page.locator("#shop").evaluate((element) => element.getAttributeNames())).sort()).toEqual([
    "aria-label",
    "data-test",
    "id",
    "style",
  ]);
});
