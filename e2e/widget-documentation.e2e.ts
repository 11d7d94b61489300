import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import type { Page } from "@playwright/test";
import { rolldown } from "rolldown";
import { example, root } from "../docs/examples/fenced-blocks.ts";
import { expect, test as base } from "./support/fixtures.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// The snippets of docs/widget.md, docs/partners-api.md and packages/widget/README.md, pasted into a page on an origin of its own. Only the club's
// address, the publishable key and the token are replaced by the stack's.

const WIDGET = "docs/widget.md";
const PARTNERS_API = "docs/partners-api.md";
const README = "packages/widget/README.md";

/** A partner's page, and how to fill it. */
interface Shop {
  origin: string;
  /** Replaces the placeholders of a snippet by the stack's values, with a new token. */
  fill(snippet: string): Promise<string>;
  token(): Promise<string>;
  /** Opens a page with this body, sent with these headers. */
  open(page: Page, body: string, headers?: Record<string, string>): Promise<void>;
}

const test = base.extend<{ shop: Shop }>({
  shop: async ({ brandUrl }, use) => {
    const service = new URL(brandUrl("x").replace("x.localhost", "localhost")).origin;
    let body = "";
    let headers: Record<string, string> = {};
    const server = createServer((_, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.setHeader("Content-Type", "text/html; charset=utf-8").end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const partner = await withStackDatabase((db) => makePartner(db, { origins: [origin] }));
    const token = async () => {
      const answer = await fetch(`${service}/api/partner/sessions`, {
        method: "POST",
        headers: { Authorization: `Bearer ${partner.key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ origin }),
      });
      return ((await answer.json()) as { token: string }).token;
    };
    const fill = async (snippet: string) => {
      const answer = await fetch(`${service}/widget/integrity.json`);
      const release = (await answer.json()) as { version: string; integrity: string };
      return snippet
        .replaceAll("https://club.example", service)
        .replaceAll(/pk_(live|test)_…/g, "pk_test_sandbox")
        .replaceAll("VERSION", release.version)
        .replaceAll("sha384-…", release.integrity)
        .replaceAll(/TOKEN( FROM YOUR SERVER)?/g, await token());
    };
    const open = async (page: Page, markup: string, sent: Record<string, string> = {}) => {
      body = `<!doctype html><html lang="en"><title>Shop</title><div id="shop"></div>${markup}</html>`;
      headers = sent;
      await page.goto(origin);
    };
    await use({ origin, fill, token, open });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

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
  const frame = page.frameLocator('iframe[src*="/redirect"]');
  await frame.getByLabel("Amount").fill("34.20");
  await frame.getByLabel("Reference").fill("basket-1042");
  await frame.getByRole("button", { name: "Continue to payment" }).click();
  const pay = page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: "Pay £34.20" });
  await expect(pay).toBeEnabled();
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
