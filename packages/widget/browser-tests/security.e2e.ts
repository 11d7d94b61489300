import type { Frame, Page } from "@playwright/test";
import { clickInFrame } from "./click-in-frame.ts";
import { attacker, cards, partner, service } from "./origins.ts";
import { expect, intent, postFrom, redirect, settled, test } from "./partner-page.ts";

const resize = '{"type":"RESIZE","payload":{"height":700,"width":300}}';

async function frameAt(page: Page, origin: string): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().startsWith(origin));
  await expect.poll(find).toBeTruthy();
  await find()!.waitForLoadState();
  return find()!;
}

test.describe("Y4 W3 only this frame, only its origin", () => {
  test("a sibling frame of another origin is ignored, silently", async ({ partnerPage, page }) => {
    await partnerPage.mounted({}, { path: "/silent" });
    await page.evaluate(
      (src) => document.body.append(Object.assign(document.createElement("iframe"), { src })),
      attacker,
    );
    const foreign = await frameAt(page, attacker);
    await postFrom(foreign, intent());
    await postFrom(foreign, resize);
    await settled(page);
    await expect(partnerPage.dialog).toHaveCount(0);
    expect(await partnerPage.events()).toEqual([]);
  });

  test("the right origin in the wrong window is ignored: sibling, nested frame, popup", async ({
    partnerPage,
    page,
    context,
  }) => {
    const frame = await partnerPage.mounted({}, { path: "/silent" });
    await page.evaluate(
      (src) => document.body.append(Object.assign(document.createElement("iframe"), { src })),
      `${service}/sibling?s`,
    );
    await frame.evaluate(
      (src) => document.body.append(Object.assign(document.createElement("iframe"), { src })),
      `${service}/sibling?n`,
    );
    await expect.poll(() => page.frames().filter((one) => one.url().includes("/sibling")).length).toBe(2);
    for (const one of page.frames().filter((each) => each.url().includes("/sibling"))) {
      await one.waitForLoadState();
      await one.evaluate(([data, origin]) => top!.postMessage(data, origin!), [resize, partner] as const);
    }
    const opening = context.waitForEvent("page");
    await page.evaluate((url) => void window.open(url), `${service}/sibling?p`);
    const popup = await opening;
    await popup.waitForLoadState();
    await popup.evaluate(([data, origin]) => (opener as Window).postMessage(data, origin!), [resize, partner] as const);
    await settled(page);
    expect(await partnerPage.events()).toEqual([]);
    await postFrom(frame, resize); // control: the widget reads its own frame
    await expect.poll(() => partnerPage.events("RESIZE")).toHaveLength(1);
  });

  test("a message without a source is ignored, also after the frame was removed", async ({ partnerPage, page }) => {
    await partnerPage.mounted({}, { path: "/silent" });
    const forge = () =>
      page.evaluate(
        ([data, origin]) => window.dispatchEvent(new MessageEvent("message", { data, origin: origin!, source: null })),
        [resize, service] as const,
      );
    await forge();
    await page.evaluate(() => document.querySelector("iframe")!.remove());
    await forge();
    await settled(page);
    expect(await partnerPage.events()).toEqual([]);
  });

  test("a frame that has navigated to another origin gets no messages, and its messages are ignored", async ({
    partnerPage,
    page,
  }) => {
    await page.clock.install();
    const frame = await partnerPage.mounted({}, { redirect });
    await expect.poll(() => frame.evaluate(() => window.heard.configurations.length)).toBeGreaterThan(0);
    await frame.evaluate((url) => location.assign(url), attacker);
    const gone = await frameAt(page, attacker);
    await page.clock.runFor(2400); // two more intervals of REDIRECT_CONFIG
    await settled(page);
    expect(await gone.evaluate(() => (window as unknown as { received: unknown[] }).received)).toEqual([]);
    await postFrom(gone, intent());
    await postFrom(gone, resize);
    await settled(page);
    await expect(partnerPage.dialog).toHaveCount(0);
    // The service's page may have told its own size before it left, so events are told apart by what they say.
    const events = await partnerPage.events();
    expect(events.filter((event) => event.type !== "RESIZE" || event.payload.height === 700)).toEqual([]);
  });

  test("connectHost sends nothing to another embedder and ignores its messages", async ({ page }) => {
    await page.goto(`${attacker}/embed`);
    await expect.poll(() => page.frames().length).toBe(2);
    const frame = page.frames()[1]!;
    await frame.waitForLoadState();
    await clickInFrame(frame.locator("#pay"));
    await page.evaluate(
      (data) => window.frames[0]!.postMessage(data, "*"),
      '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{"context":{"token":"free"}},"origin":"react"}',
    );
    // Messages between two windows keep their order: once these two have arrived, all earlier ones have too.
    await page.evaluate(() => window.frames[0]!.postMessage("the last one", "*"));
    await expect.poll(() => frame.evaluate(() => window.heard.raw)).toContain("the last one");
    await frame.evaluate(() => parent.postMessage("the last answer", "*"));
    const received = () => page.evaluate(() => (window as unknown as { received: unknown[] }).received);
    await expect.poll(received).toContain("the last answer");
    expect(await received()).toEqual(["the last answer"]);
    expect(await frame.evaluate(() => window.heard.completed)).toEqual([]);
  });

  test("connectHost reads messages of the parent only, and relays none of a nested frame", async ({
    partnerPage,
    page,
  }) => {
    const frame = await partnerPage.mounted();
    // An attacker's page, and one of the partner's own origin: neither is the parent.
    for (const url of [`${attacker}/nested`, `${partner}/leak`]) {
      await frame.evaluate(
        (src) => document.body.append(Object.assign(document.createElement("iframe"), { src, height: 20 })),
        url,
      );
      const nested = await frameAt(page, url);
      await nested.evaluate(([one, two]) => [one, two].forEach((data) => parent.postMessage(data, "*")), [
        intent(),
        '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{"context":{"token":"free"}}}',
      ] as const);
      await settled(page);
      expect(await frame.evaluate(() => window.heard.raw.length)).toBeGreaterThan(0); // they did arrive
      expect(await frame.evaluate(() => window.heard.completed)).toEqual([]);
      await expect(partnerPage.dialog).toHaveCount(0);
    }
    expect((await partnerPage.events()).filter(({ type }) => type !== "RESIZE")).toEqual([]);
  });
});

test("W3 malicious messages from the right frame change nothing and throw nothing", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  const hostile = [
    "{",
    "null",
    "[]",
    '"RESIZE"',
    "5",
    { type: "RESIZE", payload: { height: 1, width: 1 } },
    null,
    [resize],
    '{"type":"__proto__","payload":{}}',
    '{"type":"constructor","payload":{}}',
    '{"type":"RESIZE","payload":{"__proto__":{"height":1,"width":1}}}',
    intent({ paymentAmount: "5" }),
    intent({ paymentAmount: 0 }),
    intent({ paymentAmount: -5 }),
    intent({ paymentAmount: 1e21 }),
    intent().replace('"paymentAmount":5', '"paymentAmount":1e999'),
    intent({ context: {} }),
    intent({ pad: "x".repeat(1 << 20) }),
  ];
  for (const data of hostile) await postFrom(frame, data);
  await settled(page);
  await expect(partnerPage.dialog).toHaveCount(0);
  expect(await partnerPage.events()).toEqual([]);
  expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
  expect(partnerPage.consoleLines.filter((line) => /^(error|warning|pageerror)/.test(line))).toEqual([]);
});

test("W6 after 20,000 RESIZE messages at once the page responds, and the host gets the latest once per animation frame", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  await frame.evaluate((origin) => {
    for (let height = 1; height <= 20_000; height++)
      parent.postMessage(`{"type":"RESIZE","payload":{"height":${height},"width":1}}`, origin);
  }, partner);
  await expect
    .poll(async () => (await partnerPage.events("RESIZE")).at(-1))
    .toMatchObject({ payload: { height: 20_000 } });
  expect((await partnerPage.events("RESIZE")).length).toBeLessThan(2000);
  expect(await page.evaluate(() => 1 + 1)).toBe(2);
});

test("W6 a flood of different identifiers is bounded", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({}, { path: "/silent" });
  await frame.evaluate((origin) => {
    for (let n = 1; n <= 5000; n++)
      parent.postMessage(`{"type":"RESIZE","payload":{"identifier":"${n}","height":1,"width":1}}`, origin);
    parent.postMessage('{"type":"NAVIGATION_NO_BACK","payload":{"url":"/done"}}', origin);
  }, partner);
  await expect.poll(() => partnerPage.events("NAVIGATION_NO_BACK")).toHaveLength(1);
  expect((await partnerPage.events("RESIZE")).length).toBeLessThan(5000);
});

test.describe("W5 what may be opened", () => {
  const refused = [
    "javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "java\tscript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<h1>x",
    `blob:${partner}/1`,
    "file:///etc/passwd",
    "vbscript:x",
    "//attacker.example/",
    "/relative",
    "relative",
    "https://user:pw@shop.example/",
    "https:shop.example",
    "https://shop.example\\@attacker.example",
  ];
  for (const newTab of [true, false]) {
    test(`only absolute http(s) is opened, newTab ${newTab}`, async ({ partnerPage, page, context }) => {
      const frame = await partnerPage.mounted({}, { path: "/silent" });
      const opened: string[] = [];
      context.on("page", (popup) => opened.push(popup.url()));
      page.on("dialog", (dialog) => (opened.push("dialog"), dialog.dismiss()));
      page.on("framenavigated", (navigated) => navigated === page.mainFrame() && opened.push(navigated.url()));
      for (const url of refused) {
        for (const type of ["OPEN_URL", "REDIRECT_PAYMENT"]) {
          await page.evaluate(() =>
            Object.assign(performance, { now: () => (window.cardDelay = (window.cardDelay ?? 0) + 5000) }),
          ); // past the rate limit
          await page.evaluate(() => void 0); // counts as a user gesture
          await postFrom(frame, JSON.stringify({ type, payload: { url, newTab } }));
        }
      }
      await settled(page);
      expect(opened).toEqual([]);
    });
  }

  test("newTab opens a tab without opener or referrer, at most one a second", async ({
    partnerPage,
    page,
    context,
  }) => {
    await partnerPage.stopTime(); // the second does not pass, however long the tab takes
    const frame = await partnerPage.mounted();
    const opening = context.waitForEvent("page");
    const tabs: unknown[] = [];
    context.on("page", (popup) => tabs.push(popup));
    await frame.evaluate((url) => {
      document.querySelector<HTMLElement>("#open")!.dataset.url = url;
    }, `${attacker}/landing`);
    await clickInFrame(frame.locator("#open"));
    const popup = await opening;
    await popup.waitForLoadState();
    expect(await popup.evaluate(() => ({ opener, referrer: document.referrer }))).toEqual({
      opener: null,
      referrer: "",
    });
    for (let i = 0; i < 3; i++)
      await postFrom(frame, JSON.stringify({ type: "OPEN_URL", payload: { url: attacker, newTab: true } }));
    // Without a frame of animation, which would not come while the time stands.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve();
          port2.postMessage(0);
        }),
    );
    expect(tabs).toHaveLength(1);
    expect(page.url()).toContain(partner);
  });

  test("without newTab the page itself navigates", async ({ partnerPage, page }) => {
    const frame = await partnerPage.mounted({}, { path: "/silent" });
    await postFrom(frame, JSON.stringify({ type: "REDIRECT_PAYMENT", payload: { url: `${attacker}/bank?x=1` } }));
    await page.waitForURL(`${attacker}/bank?x=1`);
  });

  test("a new tab that the browser would block raises an event", async ({ partnerPage }) => {
    const frame = await partnerPage.mounted({}, { path: "/silent" });
    // There is no user gesture: `evaluate` in the frame does not activate the page.
    await partnerPage.page.evaluate(() =>
      Object.defineProperty(navigator, "userActivation", { value: { isActive: false } }),
    );
    await postFrom(
      frame,
      JSON.stringify({ type: "OPEN_URL", payload: { url: "https://shop.example/", newTab: true } }),
    );
    await expect
      .poll(() => partnerPage.events("OPEN_URL_BLOCKED"))
      .toEqual([{ type: "OPEN_URL_BLOCKED", payload: { url: "https://shop.example/" } }]);
  });
});

test("W2 the frame cannot navigate the partner's page, learns its origin only, and adds no history entry", async ({
  partnerPage,
  page,
  request,
}) => {
  await partnerPage.open();
  const before = await page.evaluate(() => history.length);
  const frame = await partnerPage.mount({ token: "where-from" });
  await frame.evaluate((url) => {
    try {
      top!.location.href = url;
    } catch {
      /* refused by the sandbox */
    }
  }, attacker);
  await page.evaluate(() => window.harness.update({ token: "again", environment: "dev", path: "/x" }));
  await partnerPage.frame("again");
  expect(page.url()).toContain(partner);
  expect(await page.evaluate(() => history.length)).toBe(before);
  const log = (await (await request.get(`${service}/requests`)).json()) as { url: string; referer?: string }[];
  expect(log.find(({ url }) => url.includes("where-from"))).toEqual({
    url: "/redirect?path=%2F&token=where-from",
    referer: `${partner}/`,
  });
  await expect(page.locator("iframe").first()).toHaveAttribute("allow", /payment \*/);
});

test("W1 a path outside the service is refused with a clear error, and the widget is not mounted", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  for (const path of [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/%2fevil.example",
    "evil",
  ]) {
    const mounting = page.evaluate((bad) => window.harness.mount({ token: "t", environment: "dev", path: bad }), path);
    await expect(mounting).rejects.toThrow(/path must be like/);
  }
  await expect(mountWithTemplate("javascript:alert(1)")).rejects.toThrow(/templateUrl needs http\(s\)/);
  await expect(page.locator("iframe")).toHaveCount(0);

  function mountWithTemplate(templateUrl: string): Promise<void> {
    return page.evaluate(
      (bad) =>
        window.harness.mount({
          token: "t",
          environment: "dev",
          redirect: { paymentSuccess: { templateUrl: bad, idPlaceholder: "x" } },
        }),
      templateUrl,
    );
  }
});

test("W3 ephemeral key and customer appear nowhere: document, storage, console, events, provider", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { redirect });
  await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 0002");
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toHaveLength(1);
  const everything = await page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      window.harness.events,
      window.cardCalls,
    ]),
  );
  expect(everything + partnerPage.consoleLines.join()).not.toMatch(/never_shown/);
});

test("W7 a colour can't inject other styles", async ({ partnerPage, page }) => {
  await page.evaluate(() => 0);
  const leaks: string[] = [];
  page.on("request", (request) => request.url().includes("/leak") && leaks.push(request.url()));
  const frame = await partnerPage.mounted();
  await page.evaluate(() => document.documentElement.style.setProperty("--secret", "red"));
  const hostile = [
    `url(${partner}/leak)`,
    `red;background:url(${partner}/leak)`,
    `red,red),url(${partner}/leak`,
    `image-set("${partner}/leak" 1x)`,
    "var(--secret)",
    "red}",
    "inherit",
    "",
    "nonsense",
    "expression(alert(1))",
  ];
  for (const [n, color] of hostile.entries()) {
    await partnerPage.askForPayment(frame, { color, clientSecret: `pi_1234_secret_h${n}` });
    await expect(partnerPage.payButton, color).toHaveCSS("background-color", "rgb(25, 28, 34)");
    // On the button: the card's field may have just taken the focus into its own frame.
    await partnerPage.payButton.press("Escape");
    await expect(partnerPage.dialog).toHaveCount(0);
  }
  expect(leaks).toEqual([]);
  for (const [color, background, text] of [
    ["yellow", "rgb(255, 255, 0)", "rgb(0, 0, 0)"],
    ["#0b5563", "rgb(11, 85, 99)", "rgb(255, 255, 255)"],
    ["rgba(255, 255, 0, 0.2)", "rgb(255, 255, 0)", "rgb(0, 0, 0)"], // always opaque
    ["hsl(0 100% 50%)", "rgb(255, 0, 0)", "rgb(0, 0, 0)"],
    ["oklch(0.45 0.2 264)", "rgb(20, 63, 188)", "rgb(255, 255, 255)"],
    ["color(display-p3 0 1 0)", "rgb(0, 255, 0)", "rgb(0, 0, 0)"],
  ] as const) {
    await partnerPage.askForPayment(frame, { color, clientSecret: `pi_1234_secret_${color}` });
    await expect(partnerPage.payButton, color).toHaveCSS("color", text);
    if (!color.startsWith("oklch"))
      await expect(partnerPage.payButton, color).toHaveCSS("background-color", background);
    await partnerPage.payButton.press("Escape");
    await expect(partnerPage.dialog).toHaveCount(0);
  }
});

for (const entry of ["react", "script", "element"] as const) {
  test(`W1 ${entry}: works under style-src 'self' and Trusted Types with a named policy, without console errors`, async ({
    partnerPage,
  }) => {
    const frame = await partnerPage.mounted(
      { entry, strict: true },
      { redirect, className: '"><img src=x onerror=alert(1)>' },
    );
    const dialog = await partnerPage.askForPayment(frame);
    await expect(dialog).toHaveCSS("max-width", "500px");
    await expect(partnerPage.payButton).toHaveCSS("background-color", "rgb(11, 85, 99)");
    await partnerPage.typeCard("4242 4242 4242 4242");
    await partnerPage.payButton.click();
    await expect(dialog).toHaveCount(0);
    expect(partnerPage.consoleLines.filter((line) => /^(error|pageerror)/.test(line))).toEqual([]);
  });
}

test("W1 control: the same strict page blocks an injected style and a script address without a policy", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open({ strict: true });
  const outcome = await page.evaluate((src) => {
    const style = document.createElement("style");
    style.textContent = "h1{color:rgb(1,2,3)}";
    document.head.append(style);
    let script = "allowed";
    try {
      document.createElement("script").src = src;
    } catch {
      script = "blocked";
    }
    return { colour: getComputedStyle(document.querySelector("h1")!).color, script };
  }, `${cards}/card.js`);
  expect(outcome).toEqual({ colour: "rgb(0, 128, 128)", script: "blocked" });
});
