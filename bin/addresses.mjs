import { existsSync, readFileSync } from "node:fs";
import { inRoot } from "./root.mjs";

/** The password of every demo account (product.md Z3). */
const DEMO_PASSWORD = "Farthing-2026";

/** @returns {{ slug: string, name: string, audience: string }[]} the brands that the seed puts into a new database */
function seededBrands() {
  const file = inRoot("packages/db/seeds/brands.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
}

/**
 * What a person who just started Farthing wants to know: where everything is, and how to get in.
 * @param {{ port: number, url: string, sandboxUrl: string, partnerUrl: string, dataDir: string }} stack
 * @returns {string[]} lines
 */
export function addresses({ port, url, sandboxUrl, partnerUrl, dataDir }) {
  const brands = seededBrands();
  /** @param {string} label @param {string} text */
  const row = (label, text) => `  ${label.padEnd(14)}${text}`;
  return [
    "",
    row("Members' site", url),
    ...brands.map(({ slug, name, audience }, index) =>
      row(index === 0 ? "Brands" : "", `http://${slug}.localhost:${port}`.padEnd(42) + `${name}, for ${audience}`),
    ),
    row("Sandbox", `${sandboxUrl.padEnd(42)}the outside world: retailers' shops and their network`),
    row("Demo partner", `${partnerUrl.padEnd(42)}a shop whose visitors pay through the widget`),
    row("Mailbox", `${`${sandboxUrl}/mailbox`.padEnd(42)}every e-mail the site sends`),
    "",
    row("Log in as", `${"member@<brand>.example".padEnd(42)}verified, with history`),
    row("", `${"new@<brand>.example".padEnd(42)}not verified yet`),
    row("Password", DEMO_PASSWORD),
    row("Data", dataDir),
    row("Stop", "Ctrl-C"),
    "",
  ];
}
