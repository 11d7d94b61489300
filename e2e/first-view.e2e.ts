import brands from "../packages/db/seeds/brands.json" with { type: "json" };
import { expect, test } from "./support/fixtures.ts";
import { readyForScript } from "./support/ready-for-script.ts";

const KILO = 1000;

for (const { slug } of brands) {
  test(`U2 the first view of ${slug}'s front page has at most 250 kB on a phone`, async ({ page, brandUrl }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    const line = await page.context().newCDPSession(page);
    await line.send("Network.enable");
    const addresses = new Map<string, string>();
    const weights = new Map<string, number>();
    line.on("Network.requestWillBeSent", ({ requestId, request }) => addresses.set(requestId, request.url));
    line.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => weights.set(requestId, encodedDataLength));
    const failed: string[] = [];
    line.on("Network.loadingFailed", ({ requestId, errorText }) => failed.push(`${requestId}: ${errorText}`));
    await page.goto(brandUrl(slug));
    // The script loads after the first paint and requests more: responses count once they have arrived.
    await readyForScript(page.locator("#search-field"));
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    await page.waitForLoadState("networkidle");
    const onTheWay = () => [...addresses].filter(([id]) => !weights.has(id)).map(([, address]) => address);
    await expect.poll(onTheWay, { message: "on its way" }).toEqual([]);
    expect(failed).toEqual([]);

    const heaviest = [...weights].sort(([, a], [, b]) => b - a);
    const table = heaviest.slice(0, 12).map(([id, bytes]) => `${bytes} ${addresses.get(id) ?? id}`);
    const total = heaviest.reduce((sum, [, bytes]) => sum + bytes, 0);
    test.info().annotations.push({ type: "first view", description: `${Math.round(total / KILO)} kB` });
    expect(heaviest.length, "responses counted").toBeGreaterThan(10);
    expect(total, `bytes on the wire\n${table.join("\n")}`).toBeLessThanOrEqual(250 * KILO);
  });
}
