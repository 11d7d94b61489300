import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Page } from "@playwright/test";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { example, root } from "../docs/examples/fenced-blocks.ts";
import { expect } from "./support/fixtures.ts";
import { test } from "./support/shop.ts";

// The guides of docs/widget. The demo partner's pages hold each guide's code with the stack's addresses, and a person pays there.

/** Each guide's code, by the demo partner's file that holds the same. */
const SOURCES = [
  { document: "docs/widget/plain-script.md", words: 'src="/payment.js"', file: "plain-script.html" },
  { document: "docs/widget/plain-script.md", words: "Farthing.mount", file: "payment.js" },
  { document: "docs/widget/react.md", words: "<FarthingWidget", file: "payment.tsx" },
  { document: "docs/widget/react.md", words: "<farthing-widget", file: "payment-element.tsx" },
  { document: "docs/widget/vue.md", words: "<template>", file: "payment.vue" },
  { document: "docs/widget/svelte.md", words: "$props()", file: "payment.svelte" },
  { document: "docs/widget/content-security-policy.md", words: "frame-src", file: "content-security-policy.txt" },
  { document: "docs/widget/cross-origin-isolation.md", words: "Opener-Policy", file: "cross-origin-isolation.txt" },
  { document: "docs/widget/wallets.md", words: "Permissions-Policy", file: "wallets.txt" },
];
for (const { document, words, file } of SOURCES) {
  test(`W1 W10 ${document} shows the code of the demo partner's ${file}`, () => {
    const code = readFileSync(join(root, "sandbox/partner/guides", file), "utf8");
    expect(example(document, words).trim()).toBe(code.trim());
  });
}

/** The page of the service inside the widget's frame. */
const inFrame = (page: Page): FrameLocator => page.frameLocator('iframe[src*="/redirect"]');

/** The button of a frame whose price the demo partner's server has fixed. */
const payInFrame = (page: Page) => inFrame(page).getByRole("button", { name: "Pay £34.20" });

/** Types the amount into a frame whose price nobody has fixed, as the page of the plain script has it. */
async function typeAmount(page: Page): Promise<void> {
  await inFrame(page).getByLabel("Amount").fill("34.20");
  await inFrame(page)
    .getByLabel("Reference")
    .fill(await page.locator(".reference").innerText());
  await clickInFrame(inFrame(page).getByRole("button", { name: "Continue to payment" }));
}

/** Pays by card, as a visitor does. */
async function payByCard(page: Page, begin = () => clickInFrame(payInFrame(page))): Promise<void> {
  await begin();
  const form = page.frameLocator('iframe[title="Secure payment input frame"]');
  await form.getByLabel("Card number").fill("4242424242424242");
  await form.getByLabel("Expiry date").fill("1240");
  await form.getByLabel("Security code").fill("123");
  await page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: "Pay £34.20" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(inFrame(page).getByText("Payment received")).toBeVisible();
}

for (const slug of ["plain-script", "react", "react-element", "vue", "svelte"]) {
  test(`W1 W6 the ${slug} guide takes a payment, and its onEvent receives the widget's events`, async ({
    page,
    partnerUrl,
  }) => {
    await page.goto(partnerUrl(`/guides/${slug}`));
    await expect(page.locator("output")).toHaveText(/^[A-Z_]+$/);
    await (slug === "plain-script" ? payByCard(page, () => typeAmount(page)) : payByCard(page));
  });
}

test("W1 the React component's id and label are on the box around the frame", async ({ page, partnerUrl }) => {
  await page.goto(partnerUrl("/guides/react"));
  await expect(page.locator('#payment[aria-label="Payment"] > iframe')).toBeVisible();
});

for (const slug of ["content-security-policy", "cross-origin-isolation", "wallets"]) {
  test(`W1 S1 a page with the headers of the ${slug} guide takes a payment`, async ({ page, partnerUrl }) => {
    const answer = await page.goto(partnerUrl(`/guides/${slug}`));
    const headers = JSON.stringify(answer?.headers());
    expect(headers).toContain(
      slug === "content-security-policy" ? "frame-src   " : slug === "wallets" ? "payment=(self" : "allow-popups",
    );
    await payByCard(page);
  });
}

for (const embedder of ["require-corp", "credentialless"]) {
  test(`W1 an isolated page (COEP ${embedder}) shows the widget's frame`, async ({ page, partnerUrl }) => {
    await page.goto(partnerUrl(`/guides/cross-origin-isolation?embedder=${embedder}`));
    await expect(payInFrame(page)).toBeVisible();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  });
}

test("W1 S1 the pinned script tag of docs/widget/versions.md shows the payment page", async ({ page, shop }) => {
  await shop.open(page, await shop.fill(example("docs/widget/versions.md", "integrity=")));
  await expect(inFrame(page).getByRole("button", { name: "Continue to payment" })).toBeVisible();
});

test("U1 the list of guides leads to each of them", async ({ page, partnerUrl, axe, validHtml }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await validHtml(page, partnerUrl("/guides"));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await axe(page);
  await page.getByRole("link", { name: "Vue" }).click();
  await expect(payInFrame(page)).toBeVisible();
});
