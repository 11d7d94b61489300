import type { Brand } from "@farthing/core/brands/brand.ts";
import { expect, test } from "vitest";
import { contentSecurityPolicy } from "./seal-page.ts";
import { trackingSources } from "./tracking-sources.ts";

const config = {
  telemetryUrl: "https://telemetry.example",
  tagManagerUrl: "https://tags.example/gtm.js",
  tagSources: ["https://*.analytics.example"],
};
const brand = (telemetry: boolean, tagManager: string | null) =>
  ({ features: { telemetry }, tracking: { tagManager, engagementScript: "https://push.example/w.js" } }) as Brand;
const policyOf = (settings: Partial<typeof config>, telemetry: boolean, tagManager: string | null) => {
  const tracking = trackingSources({ ...config, ...settings })(brand(telemetry, tagManager));
  const policy = contentSecurityPolicy([], { publicScheme: "http", tracking });
  return Object.fromEntries(policy.split("; ").map((directive) => directive.split(/ (.*)/)));
};

test("S1 T1 a brand without telemetry and tags may load nothing of others", () => {
  const policy = policyOf({}, false, null);
  expect(policy["script-src"]).toBe("'self'");
  expect(policy["img-src"]).toBe("'self' data:");
  expect(policy["connect-src"]).toBeUndefined();
  expect(JSON.stringify(policy)).not.toContain("push.example");
});

test("S1 T1 pages may send to the collector's own host, where it has one", () => {
  expect(policyOf({}, true, null)["connect-src"]).toBe("'self' https://telemetry.example");
  expect(policyOf({ telemetryUrl: null as unknown as string }, true, null)["connect-src"]).toBeUndefined();
  expect(policyOf({}, true, null)["script-src"]).toBe("'self'");
});

test("S1 T4 a container allows the tag manager and what its tags need, in three directives", () => {
  const policy = policyOf({}, false, "GTM-ABCD");
  const tags = "https://tags.example https://*.analytics.example";
  expect(policy["script-src"]).toBe(`'self' ${tags}`);
  expect(policy["img-src"]).toBe(`'self' data: ${tags}`);
  expect(policy["connect-src"]).toBe(`'self' ${tags}`);
  expect(policy["frame-src"]).toBeUndefined();
});
