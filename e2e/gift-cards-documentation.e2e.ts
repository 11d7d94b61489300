import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { rolldown } from "rolldown";
import widgetPackage from "../packages/widget/package.json" with { type: "json" };
import { example, root } from "../docs/examples/fenced-blocks.ts";
import { expect } from "./support/fixtures.ts";
import { type Shop, test } from "./support/shop.ts";

// The snippets of docs/gift-card-portal.md and packages/widget/README.md, pasted into a page on an origin of its own. Only
// the club's address, the publishable key, the token and the hash are replaced by the stack's.

const GUIDE = "docs/gift-card-portal.md";
const README = "packages/widget/README.md";

/** Expects a frame that shows the portal's path, and has the height from the start. */
async function expectPortal(page: Page): Promise<void> {
  const frame = page.locator("iframe");
  await expect(frame).toHaveAttribute("src", /\/redirect\?path=%2Fportal&token=[\w.-]{40}/);
  await expect(frame).toHaveAttribute("title", "Gift cards");
  await expect(frame).not.toHaveAttribute("aria-busy"); // the service has answered
  expect(await frame.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThanOrEqual(600);
}

for (const document of [GUIDE, README]) {
  test(`G1 the script tag and element of ${document} show the portal`, async ({ page, shop }) => {
    await shop.open(page, await shop.fill(example(document, "</farthing-gift-cards>")));
    await expectPortal(page);
  });

  test(`G1 the React component of ${document} shows the portal`, async ({ page, shop }) => {
    await shop.open(page, "");
    const snippet = await shop.fill(example(document, "export function GiftCards"));
    await page.addScriptTag({ content: await bundle(snippet, await shop.token()) });
    await expectPortal(page);
  });
}

for (const words of ['document.createElement("farthing-gift-cards")', 'FarthingGiftCards.mount("#shop"'])
  test(`G1 the snippet ${words} of ${GUIDE} shows the portal`, async ({ page, shop }) => {
    await shop.open(page, await scriptTag(shop));
    await page.waitForFunction(() => "FarthingGiftCards" in window);
    const snippet = await shop.fill(example(GUIDE, words));
    await page.addScriptTag({ type: "module", content: `const token = "${await shop.token()}";\n${snippet}` });
    await expectPortal(page);
  });

test(`G1 S1 the pinned script tag of ${GUIDE} loads the release whose hash it has`, async ({ page, shop }) => {
  const service = /src="([^"]+)\/widget\//.exec(await scriptTag(shop))?.[1] ?? "";
  // The package's own version, released or not: no release before 1.1.0 has the portal.
  const answer = await fetch(`${service}/widget/${widgetPackage.version}/farthing-gift-cards.js`);
  const hash = createHash("sha384")
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest("base64");
  const tag = example(GUIDE, "integrity=")
    .replace("VERSION", widgetPackage.version)
    .replace("sha384-…", `sha384-${hash}`);
  const element = `<farthing-gift-cards environment="production" token="TOKEN"></farthing-gift-cards>`;
  await shop.open(page, await shop.fill(tag + element));
  await expectPortal(page);
});

test("G1 W1 the portal and the payment widget fit on one page", async ({ page, shop }) => {
  const widget = `<farthing-widget environment="production" token="TOKEN" path="/pay" style="height: 500px"></farthing-widget>`;
  const markup = `${await shop.fill(example(GUIDE, "</farthing-gift-cards>"))}
    ${await shop.fill(`<script async src="https://club.example/widget/farthing-widget.js"></script>${widget}`)}`;
  await shop.open(page, markup);
  await expect(page.locator("farthing-gift-cards iframe")).toHaveAttribute("src", /path=%2Fportal/);
  const pay = page.frameLocator("farthing-widget iframe").getByRole("button", { name: "Continue to payment" });
  await expect(pay).toBeVisible();
});

/** Returns the script tag of the guide, without its element. */
async function scriptTag(shop: Shop): Promise<string> {
  const [tag = ""] = /<script[^]*?<\/script>/.exec(example(GUIDE, "</farthing-gift-cards>")) ?? [];
  return shop.fill(tag);
}

/** Bundles a TSX snippet that exports `GiftCards`, and renders it into the page. */
async function bundle(snippet: string, token: string): Promise<string> {
  const cache = join(root, ".cache/e2e");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "snippet-")); // inside the checkout, so that React and the widget resolve
  try {
    writeFileSync(join(folder, "gift-cards.tsx"), snippet);
    writeFileSync(
      join(folder, "page.tsx"),
      `import { createRoot } from "react-dom/client";
       import { GiftCards } from "./gift-cards.tsx";
       createRoot(document.querySelector("#shop")).render(<GiftCards token="${token}" onEvent={console.log} />);`,
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
