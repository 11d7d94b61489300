import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { example, root } from "../docs/examples/fenced-blocks.ts";
import { expect } from "./support/fixtures.ts";
import { test } from "./support/shop.ts";

// What a new partner does first: the partners' page, its demo, a test payment (W10).

test("W10 from the partners' page to a paid test payment: the demo shop, a test card, and the frame that confirms it", async ({
  page,
  brandUrl,
}) => {
  await page.goto(brandUrl("chalkside", "/partners"));
  await page.getByRole("link", { name: "Pay in the demo shop" }).click();
  await expect(page.getByRole("heading", { name: "Your Friday hamper" })).toBeVisible();
  await pay(page);
});

test("W10 a new partner follows the document's steps on an origin of its own, to a paid test payment", async ({
  page,
  shop,
  brandUrl,
}) => {
  const service = brandUrl("x").replace(/x\.|\/$/g, "");
  const run = async (text: string) => {
    const env = {
      ...process.env,
      FARTHING_ENV: "dev",
      DATABASE_URL: "",
      DATA_DIR: process.env["FARTHING_E2E_DATA_DIR"],
    };
    return (await promisify(execFile)("sh", ["-ec", text], { cwd: root, env })).stdout;
  };
  const here = (text: string) =>
    text.replaceAll("http://localhost:8080", shop.origin).replaceAll("http://localhost:3000", service);

  const added = await run(here(example("docs/widget.md", "npm run partners -- add")));
  const [key = ""] = /fpk_\w+_[\w-]+/.exec(added) ?? [];
  const answer = await run(here(example("docs/widget.md", "/api/partner/sessions")).replace("fpk_…", key));
  const { token } = JSON.parse(answer) as { token: string };
  const lines = example("docs/widget.md", "</farthing-widget>");
  await shop.open(page, lines.replace("https://club.example", service).replace("TOKEN", token));
  await pay(page);
});

/** Pays £34.20, the price that the partner's server has fixed, in the widget with a test card, until the frame confirms it. */
async function pay(page: Page): Promise<void> {
  const frame = page.frameLocator("farthing-widget iframe");
  await clickInFrame(frame.getByRole("button", { name: "Pay £34.20" }));
  const form = page.frameLocator('iframe[title="Secure payment input frame"]');
  await form.getByLabel("Card number").fill("4242424242424242");
  await form.getByLabel("Expiry date").fill("1240");
  await form.getByLabel("Security code").fill("123");
  await page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: "Pay £34.20" }).click();
  await expect(frame.getByText("Payment received")).toBeVisible();
}

for (const environment of ["dev", "staging", "production"])
  test(`W10 the playground shows the payment page in the environment ${environment}`, async ({ page, partnerUrl }) => {
    await page.goto(partnerUrl("/playground"));
    await page.getByLabel("environment").selectOption(environment);
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByRole("log").getByText(`"environment":"${environment}"`).first()).toBeVisible();
    await expect(
      page.frameLocator("#widget iframe").getByRole("button", { name: "Continue to payment" }),
    ).toBeVisible();
  });
