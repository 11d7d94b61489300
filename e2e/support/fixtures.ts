import { expect, test as base, type Page } from "@playwright/test";
import brands from "../../packages/db/seeds/brands.json" with { type: "json" };
import { htmlFaults } from "./html-faults.ts";
import { seriousFindings } from "./serious-findings.ts";

/** The password of every demo account (Z3). */
const DEMO_PASSWORD = "Farthing-2026";

export interface Fixtures {
  /** `test.use({ noScript: true })` disables client script (P8). */
  noScript: boolean;
  /** Returns the address of a page at a brand's own host. */
  brandUrl: (slug: string, path?: string) => string;
  /** Address of a page at the host that e-mails and canonical links name: the plain one for the default brand. */
  mainUrl: (slug: string, path?: string) => string;
  /** Address of a page of the outside world: shops, network, mailbox. */
  sandboxUrl: (path?: string) => string;
  /** Returns the address of a page of the demo partner, whose visitors pay through the widget. */
  partnerUrl: (path?: string) => string;
  /** Logs in through the real form. Default: as the brand's demo member. */
  logIn: (page: Page, slug: string, email?: string) => Promise<void>;
  /** Fails if axe finds anything serious or critical on the page in its current state (U1). */
  axe: (page: Page) => Promise<void>;
  /** Loads a page and fails if the server's markup is not valid HTML. */
  validHtml: (page: Page, url: string) => Promise<void>;
  /** Runs automatically in every test: fails on uncaught errors, refused scripts or styles, and failed hydration. */
  cleanConsole: void;
}

const port = () => Number(process.env["FARTHING_E2E_PORT"]);
const alarming = /Content Security Policy|Minified React error|Hydration failed/;

export const test = base.extend<Fixtures>({
  noScript: [false, { option: true }],
  javaScriptEnabled: async ({ noScript }, use) => use(!noScript),
  brandUrl: async ({}, use) => use((slug, path = "/") => `http://${slug}.localhost:${port()}${path}`),
  mainUrl: async ({ brandUrl }, use) =>
    use((slug, path = "/") =>
      brands.some((brand) => brand.slug === slug && brand.isDefault)
        ? `http://localhost:${port()}${path}`
        : brandUrl(slug, path),
    ),
  sandboxUrl: async ({}, use) => use((path = "/") => `http://localhost:${port() + 1}${path}`),
  partnerUrl: async ({}, use) => use((path = "/") => `http://localhost:${port() + 2}${path}`),
  logIn: async ({ brandUrl }, use) =>
    use(async (page, slug, email = `member@${slug}.example`) => {
      await page.goto(brandUrl(slug, "/login"));
      await page.getByLabel("Email", { exact: true }).fill(email);
      await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
      await page.getByRole("button", { name: "Log in", exact: true }).click();
      await page.waitForURL((url) => url.pathname !== "/login");
    }),
  axe: async ({}, use) => use(async (page) => expect(await seriousFindings(page), `axe at ${page.url()}`).toEqual([])),
  validHtml: async ({}, use) =>
    use(async (page, url) => {
      const response = await page.goto(url);
      const found = await htmlFaults((await response?.text()) ?? "");
      expect(found, `markup of ${url}`).toEqual([]);
    }),
  cleanConsole: [
    async ({ context }, use) => {
      const problems: string[] = [];
      context.on("weberror", (webError) => problems.push(String(webError.error())));
      context.on("console", (message) => {
        if (message.type() === "error" && alarming.test(message.text())) problems.push(message.text());
      });
      await use();
      expect(problems, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
