import brands from "../packages/db/seeds/brands.json" with { type: "json" };
import { expect, test } from "./support/fixtures.ts";

const KILO = 1000;

for (const { slug } of brands) {
  test(`U2 the first view of ${slug}'s front page weighs at most 250 kB on a phone`, async ({ page, brandUrl }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    const line = await page.context().newCDPSession(page);
    await line.send("Network.enable");
    const addresses = new Map<string, string>();
    const weights = new Map<string, number>();
    line.on("Network.requestWillBeSent", ({ requestId, request }) => addresses.set(requestId, request.url));
    line.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => weights.set(requestId, encodedDataLength));
    await page.goto(brandUrl(slug), { waitUntil: "networkidle" });

    const heaviest = [...weights].sort(([, a], [, b]) => b - a);
    const table = heaviest.slice(0, 12).map(([id, bytes]) => `${bytes} ${addresses.get(id) ?? id}`);
    const total = heaviest.reduce((sum, [, bytes]) => sum + bytes, 0);
    test.info().annotations.push({ type: "first view", description: `${Math.round(total / KILO)} kB` });
    expect(heaviest.length, "responses counted").toBeGreaterThan(10);
    expect(total, `bytes on the wire\n${table.join("\n")}`).toBeLessThanOrEqual(250 * KILO);
  });
}
