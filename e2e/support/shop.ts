import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import type { Page } from "@playwright/test";
import { test as base } from "./fixtures.ts";
import { withStackDatabase } from "./stack-database.ts";

/** A partner's page, and how to fill it. */
export interface Shop {
  origin: string;
  /** Replaces the placeholders of a snippet by the stack's values, with a new token. */
  fill(snippet: string): Promise<string>;
  token(): Promise<string>;
  /** Opens a page with this body, sent with these headers. */
  open(page: Page, body: string, headers?: Record<string, string>): Promise<void>;
}

/** Starts a partner's shop on an origin of its own for each test. */
export const test = base.extend<{ shop: Shop }>({
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
