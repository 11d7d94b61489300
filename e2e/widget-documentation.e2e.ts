import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { rolldown } from "rolldown";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { example, root } from "../docs/examples/fenced-blocks.ts";
import { expect } from "./support/fixtures.ts";
import { type Shop, test } from "./support/shop.ts";

// The snippets of docs/widget.md, docs/partners-api.md and packages/widget/README.md, pasted into a page on an origin of its own. Only the club's
// address, the publishable key and the token are replaced by the stack's.

const WIDGET = "docs/widget.md";
const PARTNERS_API = "docs/partners-api.md";
const README = "packages/widget/README.md";

/** Expects the frame to show the service's payment page. */
async function expectPaymentPage(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe[src*="/redirect"]');
  await expect(frame.getByRole("button", { name: "Continue to payment" })).toBeVisible();
}

for (const document of [WIDGET, README]) {
  test(`W1 W10 the script tag and element of ${document} show the payment page`, async ({ page, shop }) => {
    await shop.open(page, await shop.fill(example(document, "</farthing-widget>")));
    await expectPaymentPage(page);
  });

  test(`W1 W10 the React component of ${document} shows the payment page`, async ({ page, shop }) => {
    await shop.open(page, "");
    await page.addScriptTag({
      content: await bundle(await shop.fill(example(document, "export function Payment")), await shop.token()),
    });
    await expectPaymentPage(page);
  });
}

const scripts = [
  { document: WIDGET, words: 'document.createElement("farthing-widget")' },
  { document: WIDGET, words: 'const widget = Farthing.mount("#shop"' },
  { document: README, words: 'Farthing.mount("#shop"' },
];
for (const { document, words } of scripts) {
  test(`W1 W10 the snippet ${words} of ${document} shows the payment page`, async ({ page, shop }) => {
    await shop.open(page, await scriptTag(shop));
    await page.waitForFunction(() => "Farthing" in window);
    const snippet = await shop.fill(example(document, words));
    await page.addScriptTag({ type: "module", content: `const token = "${await shop.token()}";\n${snippet}` });
    await expectPaymentPage(page);
  });
}

/** Types amount and reference in the widget's frame and opens its card form. Returns the form's button once it can be pressed. */
async function openCardForm(page: Page): Promise<Locator> {
  const frame = page.frameLocator('iframe[src*="/redirect"]');
  await frame.getByLabel("Amount").fill("34.20");
  await frame.getByLabel("Reference").fill("basket-1042");
  await clickInFrame(frame.getByRole("button", { name: "Continue to payment" }));
  const pay = page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: "Pay £34.20" });
  await expect(pay).toBeEnabled();
  return pay;
}

test("W8 in the copied lines of docs/widget.md a bank's challenge that fails is said in the card form and in the frame", async ({
  page,
  shop,
}) => {
  await shop.open(page, await shop.fill(example(WIDGET, "</farthing-widget>")));
  const frame = page.frameLocator('iframe[src*="/redirect"]');
  await frame.getByLabel("Amount").fill("34.20");
  await frame.getByLabel("Reference").fill("basket-1042");
  await clickInFrame(frame.getByRole("button", { name: "Continue to payment" }));
  const form = page.frameLocator('iframe[title="Secure payment input frame"]');
  await form.getByLabel("Card number").fill("4000000000003220");
  await form.getByLabel("Expiry date").fill("1240");
  await form.getByLabel("Security code").fill("123");
  const dialog = page.getByRole("dialog", { name: "Payment" });
  await dialog.getByRole("button", { name: "Pay £34.20" }).click();
  const bank = page.frameLocator('iframe[title="Authentication by your bank"]');
  await clickInFrame(bank.getByRole("button", { name: "Fail" }));
  await expect(dialog.getByRole("alert")).toContainText("unable to authenticate your payment method");
  await expect(frame.getByText("The last attempt did not go through")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(frame.getByText("The last attempt did not go through")).toBeVisible();
});

test("W7 in the dialog of docs/widget.md the card form opens above the dialog", async ({ page, shop }) => {
  await shop.open(page, await scriptTag(shop));
  await page.waitForFunction(() => "Farthing" in window);
  const snippet = await shop.fill(example(WIDGET, "not showModal()"));
  await page.addScriptTag({ type: "module", content: `const token = "${await shop.token()}";\n${snippet}` });
  const pay = await openCardForm(page);
  await pay.click({ trial: true }); // nothing covers it
});

test("W1 P4 an environment that a page defines in script is one that the widget opens", async ({ page, shop }) => {
  await shop.open(page, await scriptTag(shop));
  await page.waitForFunction(() => "Farthing" in window);
  const snippet = await shop.fill(example(WIDGET, "Farthing.defineEnvironments"));
  const mount = `Farthing.mount("#shop", { environment: "staging", token: "${await shop.token()}", path: "/pay" });`;
  await page.addScriptTag({ type: "module", content: `${snippet}\n${mount}` });
  await expectPaymentPage(page);
});

for (const document of [WIDGET, PARTNERS_API]) {
  test(`W1 S1 the pinned script tag of ${document} loads the release whose hash it has`, async ({ page, shop }) => {
    const element = `<farthing-widget environment="production" token="TOKEN" path="/pay"></farthing-widget>`;
    await shop.open(page, await shop.fill(example(document, "integrity=") + element));
    await expectPaymentPage(page);
  });
}

test("W1 S1 the documented policy is enough for the widget, its frame and the card form", async ({
  page,
  shop,
  sandboxUrl,
}) => {
  const provider = new URL(sandboxUrl()).origin;
  const policy = (await shop.fill(example(WIDGET, "script-src"))).replaceAll(/https:\/\/\w+\.stripe\.com/g, provider);
  const snippet = (await shop.fill(example(WIDGET, "</farthing-widget>"))).replace(/ style="[^"]*"/, ""); // an inline style of the page's own, which this policy refuses
  await shop.open(page, snippet, {
    "Content-Security-Policy": `default-src 'none'; style-src 'self'; ${policy.replaceAll("\n", " ")}`,
  });
  await openCardForm(page);
});

/** Returns the script tag of docs/widget.md, without its element. */
async function scriptTag(shop: Shop): Promise<string> {
  const [tag = ""] = /<script[^]*?<\/script>/.exec(example(WIDGET, "</farthing-widget>")) ?? [];
  return shop.fill(tag);
}

/** Bundles a TSX snippet that exports `Payment`, and renders it into the page. */
async function bundle(snippet: string, token: string): Promise<string> {
  const cache = join(root, ".cache/e2e");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "snippet-")); // inside the checkout, so that React and the widget resolve
  try {
    writeFileSync(join(folder, "payment.tsx"), snippet);
    writeFileSync(
      join(folder, "page.tsx"),
      `import { createRoot } from "react-dom/client";
       import { Payment } from "./payment.tsx";
       createRoot(document.querySelector("#shop")).render(<Payment token="${token}" onEvent={console.log} />);`,
    );
    const build = await rolldown({
      input: join(folder, "page.tsx"),
      platform: "browser",
      transform: { define: { "process.env.NODE_ENV": '"production"' } },
      logLevel: "warn",
    });
    const { output } = await build.generate({ format: "iife" });
    await build.close();
    return output[0].code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
