import { describe, expect, test } from "vitest";
import { phoneOf, storeLinkFor } from "./store-links.ts";

const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1";
const pixel =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";

describe("O5 the store that a phone is sent to", () => {
  test.each([
    [iPhone, "ios"],
    [pixel, "android"],
    ["Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15", "ios"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.1 Safari/605.1.15", null],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36", null],
    ["Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft) Mobile Edge/15", null],
    ["", null],
    [undefined, null],
  ])("O5 %s: %s", (userAgent, phone) => {
    expect(phoneOf(userAgent)).toBe(phone);
  });

  test("O5 a phone without an app for its platform gets no link", () => {
    const storeLinks = { ios: "https://apps.example/ios", android: null };
    expect(storeLinkFor(storeLinks, iPhone)).toBe("https://apps.example/ios");
    expect(storeLinkFor(storeLinks, pixel)).toBeNull();
  });
});
