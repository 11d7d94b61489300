import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";
import brands from "../../packages/db/seeds/brands.json" with { type: "json" };
import { startDevSite } from "../support/dev-site.ts";
import startStackForTests from "../support/start-stack.ts";
import { galleryPage, type Picture } from "./gallery-page.ts";
import { signInAsOperator } from "../support/admin-pages.ts";
import { knownMoney } from "../support/known-money.ts";
import { knownNotice } from "../support/known-notice.ts";
import { adminViews } from "./admin-views.ts";
import { exampleViews } from "./example-views.ts";
import { views, type View } from "./views.ts";

/** The mobile and the desktop layout meet at 1024. */
const ALL_WIDTHS = [375, 768, 1024, 1440];
const folder = join(import.meta.dirname, "../../.gallery");
/** Two cores draw two pages at a time. */
const MAX_AT_ONCE = 2;

// Takes a picture of each view in each theme at each width and writes the page that shows them. Exits with 1 where a
// page has a problem.
const { values } = parseArgs({
  options: {
    brand: { type: "string", multiple: true },
    view: { type: "string", multiple: true },
    width: { type: "string", multiple: true },
  },
});
const slugs = brands.map(({ slug }) => slug).filter((slug) => values.brand?.includes(slug) ?? true);
const widths = values.width?.map(Number) ?? ALL_WIDTHS;

const stop = await startStackForTests();
await knownMoney();
await knownNotice();
// Components in each of their states, which only the site from its sources shows (docs/components.md).
const devSite = await startDevSite();
const chosenViews = [
  ...views,
  ...adminViews,
  ...(await exampleViews(devSite.url(brands[0]?.slug ?? "", "/examples"))),
].filter(({ name }) => values.view?.some((part) => name.includes(part)) ?? true);
const browser = await chromium.launch({
  ...(process.env["CHROMIUM_PATH"] && { executablePath: process.env["CHROMIUM_PATH"] }),
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const pictures: Picture[] = [];
try {
  rmSync(folder, { recursive: true, force: true });
  const queue = [...slugs];
  const total = slugs.reduce(
    (sum, slug) => sum + viewsAt(slug).reduce((all, view) => all + widthsOf(view).length, 0),
    0,
  );
  const worker = async () => {
    for (let slug = queue.shift(); slug !== undefined; slug = queue.shift()) {
      await takeBrand(slug);
      process.stdout.write(`- ${slug}: ${pictures.length} of ${total} pictures\n`);
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker));
} finally {
  await browser.close();
  await devSite.stop();
  await stop();
}
writeFileSync(join(folder, "index.html"), galleryPage({ pictures, brands: slugs, views: chosenViews, widths }));
const bad = pictures.filter(({ problems }) => problems.length > 0);
for (const { brand, view, width, problems } of bad)
  process.stdout.write(`  ${brand} ${view} ${width}: ${problems.join("; ")}\n`);
process.stdout.write(`${pictures.length} pictures, ${bad.length} with a problem: .gallery/index.html\n`);
process.exit(bad.length > 0 ? 1 : 0);

function widthsOf(view: View): number[] {
  return widths.filter((width) => view.widths?.includes(width) ?? true);
}

/** The admin is the same at every brand. */
function viewsAt(slug: string): View[] {
  return chosenViews.filter(({ as }) => as !== "operator" || slug === slugs[0]);
}

function address(slug: string, path: string): string {
  return `http://${slug}.localhost:${process.env["FARTHING_E2E_PORT"] ?? ""}${path}`;
}

async function takeBrand(slug: string): Promise<void> {
  mkdirSync(join(folder, slug), { recursive: true });
  for (const who of ["visitor", "member", "newcomer", "operator"] as const) {
    const theirs = viewsAt(slug).filter(({ as = "visitor" }) => as === who);
    if (theirs.length === 0) continue;
    const session = who === "visitor" ? undefined : await signIn(browser, slug, who);
    for (const view of theirs) await takeView(slug, view, session);
  }
}

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Logs a demo member in through the form. The session serves all pages that show that member. */
async function signIn(open: Browser, slug: string, who: "member" | "newcomer" | "operator"): Promise<Session> {
  const context = await open.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  if (who === "operator") {
    const sandbox = `http://localhost:${Number(process.env["FARTHING_E2E_PORT"]) + 1}`;
    await signInAsOperator(page, { url: (path) => address(slug, path), sandbox });
    const opened = await context.storageState();
    await context.close();
    return opened;
  }
  await page.goto(address(slug, "/login"));
  await page.getByLabel("Email", { exact: true }).fill(`${who === "member" ? "member" : "new"}@${slug}.example`);
  await page.getByLabel("Password", { exact: true }).fill("Farthing-2026");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/login");
  const state = await context.storageState();
  await context.close();
  return state;
}

async function takeView(slug: string, view: View, session: Session | undefined): Promise<void> {
  const path = typeof view.path === "string" ? view.path : await view.path();
  for (const width of widthsOf(view)) {
    const context = await browser.newContext({
      viewport: { width, height: width < 1024 ? 812 : 900 },
      locale: "en-GB",
      timezoneId: "Europe/London",
      reducedMotion: "reduce",
      colorScheme: view.scheme ?? "light",
      hasTouch: width < 1024,
      ...(session && { storageState: session }),
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      // A page that answers with an error status is logged as an error too. That is no problem of the page.
      if (message.type() === "error" && !/the server responded with a status of/.test(message.text()))
        problems.push(message.text());
    });
    const file = `${slug}/${view.name}-${width}.jpeg`;
    try {
      await page.goto(view.isExample ? devSite.url(slug, path) : address(slug, path), { waitUntil: "networkidle" });
      await view.act?.(page, width);
      await showLazyImages(page);
      problems.push(...(await sideways(page)));
      await page.screenshot({
        path: join(folder, file),
        fullPage: view.isWindowOnly !== true,
        type: "jpeg",
        quality: 72,
      });
    } catch (error) {
      problems.push(String(error).split("\n")[0] ?? "");
    }
    pictures.push({ brand: slug, view: view.name, width, file, problems });
    await context.close();
  }
}

/** Loads the images below the fold, which browsers otherwise fetch when they come near. */
async function showLazyImages(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.querySelectorAll("img")) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
}

async function sideways(page: Page): Promise<string[]> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  return scrollWidth > clientWidth ? [`${scrollWidth} px wide in a window of ${clientWidth}`] : [];
}
