import { existsSync, readFileSync } from "node:fs";
import { demoAccounts, demoCards, demoOperators, demoPassword } from "./demo-access.mjs";
import { inRoot } from "./root.mjs";

/** @returns {{ slug: string, name: string, audience: string, hosts: string[] }[]} the brands that a new database is seeded with */
function seededBrands() {
  const file = inRoot("packages/db/seeds/brands.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
}

/**
 * Returns the lines that npm start prints: every address, the demo accounts and the test cards. A brand's address is the one that its e-mails
 * link to, so that a member who follows a link from the mailbox is still logged in.
 * @param {{ port: number, url: string, sandboxUrl: string, partnerUrl: string, dataDir: string }} stack
 * @returns {string[]} lines
 */
export function addresses({ port, url, sandboxUrl, partnerUrl, dataDir }) {
  /** @param {string} label @param {string} text @param {string} [what] */
  const row = (label, text, what) => `  ${label.padEnd(14)}${what ? text.padEnd(42) + what : text}`;
  return [
    "",
    row("Members' site", url),
    ...seededBrands().map(({ slug, name, audience, hosts: [host = `${slug}.localhost`] }, index) =>
      row(index === 0 ? "Brands" : "", `http://${host}:${port}`, `${name}, for ${audience}`),
    ),
    row("Admin", `${url}/admin`, "for operators; the code of a sign-in is in the mailbox"),
    row("Sandbox", sandboxUrl, "stands in for the retailers' shops and their network"),
    row("Demo partner", partnerUrl, "a shop whose visitors pay through the widget"),
    row("Mailbox", `${sandboxUrl}/mailbox`, "every e-mail the site sends"),
    "",
    ...demoAccounts.map(({ name, what, brands }, index) =>
      row(index === 0 ? "Log in as" : "", `${name}@<brand>.example`, brands ? `${what} (${brands.join(", ")})` : what),
    ),
    ...demoOperators.map(({ name, what }, index) =>
      row(index === 0 ? "Operators" : "", `${name}@farthing.example`, what),
    ),
    row("Password", demoPassword),
    ...demoCards.map(({ number, what }, index) => row(index === 0 ? "Pay with" : "", number, what)),
    row("Data", dataDir),
    row("Stop", "Ctrl-C"),
    "",
  ];
}
