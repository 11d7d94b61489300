import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIRequestContext } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";

/** The demo partner's key in development. Only the partner's server has it, never a page. */
const DEVELOPMENT_KEY = "fpk_demoshop_development-only-key-do-not-use-elsewhere00";

interface Minted {
  token: string;
}

async function mint(request: APIRequestContext, service: string, origin: string): Promise<string> {
  const answer = await request.post(`${service}/api/partner/sessions`, {
    headers: { Authorization: `Bearer ${DEVELOPMENT_KEY}` },
    data: { origin },
  });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as Minted).token;
}

/** Starts an attacker's page on its own origin, which frames `address` and records every message it receives. */
async function startAttacker(address: string): Promise<{ url: string; close(): Promise<void> }> {
  const page = `<!doctype html><title>Elsewhere</title>
    <script>window.heard = []; addEventListener("message", (event) => heard.push(String(event.data)));</script>
    <iframe src="${address.replaceAll("&", "&amp;")}" width="600" height="600"></iframe>`;
  const server = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(page));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

test("W9 a token is valid for one exchange, and the response for one origin and no cache", async ({
  request,
  brandUrl,
  partnerUrl,
}) => {
  const service = new URL(brandUrl("x").replace("x.localhost", "localhost")).origin;
  const partner = new URL(partnerUrl()).origin;
  const address = `${service}/redirect?path=%2Fpay&token=${await mint(request, service, partner)}`;

  const first = await request.get(address, { maxRedirects: 0 });
  expect(first.status()).toBe(200);
  const headers = first.headers();
  expect(headers["content-security-policy"]).toContain(`frame-ancestors ${partner};`);
  expect(headers["x-frame-options"]).toBeUndefined();
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(headers["cache-control"]).toContain("no-store");

  const replayed = await request.get(address, { maxRedirects: 0 });
  expect(replayed.status()).toBe(410);
  expect(await replayed.text()).not.toContain("Continue to payment");
});

test("W9 paths that lead elsewhere are refused before the token is spent", async ({
  request,
  brandUrl,
  partnerUrl,
}) => {
  const service = new URL(brandUrl("x").replace("x.localhost", "localhost")).origin;
  const partner = new URL(partnerUrl()).origin;
  const token = await mint(request, service, partner);
  for (const path of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/%09/evil.example",
    "pay",
    "",
  ]) {
    const answer = await request.get(`${service}/redirect?path=${encodeURIComponent(path)}&token=${token}`, {
      maxRedirects: 0,
    });
    expect.soft(answer.status(), path).toBe(400);
  }
  const answer = await request.get(`${service}/redirect?path=%2Fpay&token=${token}`, { maxRedirects: 0 });
  expect(answer.status()).toBe(200);
});

test("W9 S1 another site with a stolen token can neither frame the page nor receive its messages", async ({
  browser,
  request,
  brandUrl,
  partnerUrl,
}) => {
  const service = new URL(brandUrl("x").replace("x.localhost", "localhost")).origin;
  const partner = new URL(partnerUrl()).origin;
  const attacker = await startAttacker(
    `${service}/redirect?path=%2Fpay&token=${await mint(request, service, partner)}`,
  );
  try {
    const page = await browser.newPage(); // outside the fixture's context, because the browser logs an error for the blocked frame
    const answered = page.waitForResponse((response) => response.url().includes("/redirect"));
    await page.goto(attacker.url);
    expect((await answered).status()).toBe(200);
    await expect.poll(() => page.frames().map((frame) => frame.url())).toContain("chrome-error://chromewebdata/");
    expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([]);
    await page.close();
  } finally {
    await attacker.close();
  }
});

test("W9 the address of the loaded frame contains no token", async ({ page, partnerUrl }) => {
  await page.goto(partnerUrl());
  await expect.poll(() => page.frames().some((frame) => new URL(frame.url()).pathname === "/pay")).toBe(true);
  expect(
    page
      .frames()
      .map((frame) => frame.url())
      .join(" "),
  ).not.toContain("token=");
});
