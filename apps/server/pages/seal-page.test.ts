import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sealPage } from "./seal-page.ts";

const nonce = "n0nce-of-this-page";
const options = { publicScheme: "http" } as const;
const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/** Returns the inline scripts that a browser would run: those whose hash is in the policy. */
function scriptsThatRun(page: { html: string; policy: string }): string[] {
  const scripts = [...page.html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi)].map((match) => match[1] ?? "");
  return scripts.filter((script) => page.policy.includes(hashOf(script)));
}

describe("S1 content security policy", () => {
  test("S1 the page's own scripts run, and their nonce is removed", () => {
    const page = sealPage(
      `<html><script nonce="${nonce}">start()</script><script nonce="${nonce}" type="module" async="">import("/assets/a.js")</script></html>`,
      nonce,
      options,
    );
    expect(scriptsThatRun(page)).toEqual(["start()", 'import("/assets/a.js")']);
    expect(page.html).toBe(
      '<html><script>start()</script><script type="module" async="">import("/assets/a.js")</script></html>',
    );
    expect(page.policy).not.toMatch(/unsafe|nonce/);
  });

  test("S1 scripts may ask our own origin alone, and those that the page's links lead to", () => {
    const policyOf = (connectsTo?: string[]) =>
      sealPage("<p></p>", nonce, { ...options, ...(connectsTo && { connectsTo }) }).policy;
    expect(policyOf()).not.toContain("connect-src"); // default-src 'self' applies
    expect(policyOf([])).not.toContain("connect-src");
    expect(policyOf(["https://network.test"])).toContain("; connect-src 'self' https://network.test;");
  });

  test.each([
    "<script>steal()</script>",
    '<script nonce="">steal()</script>',
    '<script nonce="guessed">steal()</script>',
    "<SCRIPT>steal()</SCRIPT>",
    `<p title=' nonce="guess"'><script>steal()</script></p>`,
  ])("S1 an injected script does not run: %s", (injected) => {
    const page = sealPage(`<h1>${injected}</h1><script nonce="${nonce}">start()</script>`, nonce, options);
    expect(scriptsThatRun(page)).toEqual(["start()"]);
    expect(page.policy).not.toContain(hashOf("steal()"));
  });

  test("S1 an injected open tag before our script does not change its source", () => {
    const page = sealPage(
      `<script src="https://evil.example/x.js" x="<script nonce="${nonce}">start()</script>`,
      nonce,
      options,
    );
    expect(page.policy.match(/script-src ([^;]*);/)?.[1]).toBe(`'self' ${hashOf("start()")}`);
  });

  test("S1 scripts with src come from our origin and need no hash; links lose the nonce too", () => {
    const page = sealPage(
      `<link rel="modulepreload" nonce="${nonce}" href="/assets/a.js"/><script nonce="${nonce}" src="/assets/a.js"></script>`,
      nonce,
      options,
    );
    expect(page.html).toBe('<link rel="modulepreload" href="/assets/a.js"/><script src="/assets/a.js"></script>');
    expect(page.policy).toContain("script-src 'self';");
  });

  test("S1 the hash covers the exact bytes of a script", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/<\/script/i.test(text) && text !== ""),
        (script) => {
          const page = sealPage(`<script nonce="${nonce}">${script} nonce="${nonce}"</script>`, nonce, options);
          expect(page.html).toBe(`<script>${script} nonce="${nonce}"</script>`);
          expect(page.policy).toContain(hashOf(`${script} nonce="${nonce}"`));
        },
      ),
    );
  });

  test("S1 the policy forbids frames, foreign form targets, base and plug-ins", () => {
    const { policy } = sealPage("<p>hello</p>", nonce, { publicScheme: "https" });
    for (const directive of [
      "default-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      "upgrade-insecure-requests",
    ]) {
      expect(policy.split("; ")).toContain(directive);
    }
  });
});
