import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cardFormSources } from "./card-form-sources.ts";

const account = { secretKey: "sk_test_1", publishableKey: "pk_test_1", webhookSecret: "whsec_1", apiUrl: "" };

test("G1 S1 the site allows itself what it tells partners to allow", () => {
  const guide = readFileSync(new URL("../../../docs/widget/content-security-policy.md", import.meta.url), "utf8");
  const { script, frame, connect } = cardFormSources({ stripe: { ...account, scriptUrl: null } })!;
  for (const [directive, sources] of Object.entries({
    "script-src": script,
    "frame-src": frame,
    "connect-src": connect,
  })) {
    const [, line = ""] = new RegExp(`^${directive} +(.*);$`, "m").exec(guide) ?? [];
    expect(line.split(" ").filter((source) => source !== "https://club.example")).toEqual(sources);
  }
});

test("G1 in development the sandbox stands in for the provider, and without payments nothing is allowed", () => {
  const sandbox = cardFormSources({ stripe: { ...account, scriptUrl: "http://localhost:3001/v3/stripe.js" } });
  const origin = ["http://localhost:3001"];
  expect(sandbox).toEqual({ script: origin, frame: origin, connect: origin });
  expect(cardFormSources({ stripe: null })).toBeNull();
});
