import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { loadSite, openClub, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

const release = { version: "9.8.7", scriptPath: "/widget/9.8.7/farthing-widget.js", integrity: "sha384-abc" };

async function readPage(club: TestClub): Promise<{ html: string; text: string; origin: string }> {
  const response = await club.get("/partners");
  expect(response.status).toBe(200);
  const html = await response.text();
  return {
    html,
    text: textOf(html).replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    origin: `http://${club.brand.slug}.localhost`,
  };
}

test("W P7 the page documents the three ways in, the token, the policy, messages and versions", async () => {
  const club = await openClub(db);
  club.services.widgetRelease = release;
  const { html, text, origin } = await readPage(club);
  expect(html).toContain('data-controller="partners" data-action="show"');
  expect(text).toContain(`src="${origin}${release.scriptPath}" integrity="sha384-abc" crossorigin="anonymous"`);
  expect(text).toContain("<farthing-widget");
  expect(text).toContain("Farthing.mount(");
  expect(text).toContain("@farthing/widget/react");
  expect(text).toContain(`curl ${origin}/api/partner/sessions`);
  expect(text).toContain(`frame-src ${origin} https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;`);
  for (const type of [
    "STRIPE_PAYMENT_INTENT",
    "OPEN_URL",
    "REDIRECT_PAYMENT",
    "RESIZE",
    "NAVIGATION_NO_BACK",
    "REDIRECT_CONFIG",
    "STRIPE_PAYMENT_COMPLETE",
    "READY",
    "LOAD_ERROR",
    "PAYMENT_COMPLETE",
    "token",
    "redirect",
    "onEvent",
  ])
    expect(html).toContain(`<code>${type}</code>`);
  expect(text).toContain("The newest release is version 9.8.7");
});

test("W without a built widget the snippet names the latest release and has no hash", async () => {
  const { text, origin } = await readPage(await openClub(db));
  expect(text).toContain(`src="${origin}/widget/farthing-widget.js"`);
  expect(text).not.toContain("integrity=");
});

test("W10 the page leads to a live demo where there is one, and to none where there is not", async () => {
  const club = await openClub(db);
  expect((await readPage(club)).html).not.toContain("demo shop");
  club.services.partnerDemoUrl = "https://demo.example";
  const { html } = await readPage(club);
  expect(html).toContain('href="https://demo.example"');
  expect(html).toContain('href="https://demo.example/playground"');
});

test("W S1 the page contains no key or token, every snippet can be reached by keyboard, and the footer links to the page", async () => {
  const { html } = await readPage(await openClub(db));
  expect(html).not.toMatch(/fpk_\w|pk_(test|live)_\w|whsec_\w/);
  const snippets = html.match(/<pre\b[^>]*>/g) ?? [];
  expect(snippets).toHaveLength(7);
  for (const snippet of snippets) expect(snippet).toMatch(/tabindex="0"/i);
  expect(html).toContain('<a href="/partners">For partners</a>');
});
