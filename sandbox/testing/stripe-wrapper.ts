import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The source of the provider's own browser wrapper, an ES module: pages under test load the sandbox's script through it. */
export function stripeWrapper(): string {
  return readFileSync(join(dirname(require.resolve("@stripe/stripe-js/package.json")), "dist", "pure.mjs"), "utf8");
}
