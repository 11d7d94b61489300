import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The source of the provider's browser wrapper, an ES module through which pages under test load the sandbox's script. */
export function stripeWrapper(): string {
  return readFileSync(join(dirname(require.resolve("@stripe/stripe-js/package.json")), "dist", "pure.mjs"), "utf8");
}
