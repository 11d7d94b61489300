import { demoAccounts, demoCards, demoOperators, demoPassword } from "./demo-access.mjs";

/**
 * Returns the lines that npm start prints: every address and, with the sandbox, the demo accounts and the test cards. A brand's address is the one that its
 * e-mails link to, so that a member who follows a link from the mailbox is still logged in.
 * @param {object} stack
 * @param {string} stack.url
 * @param {string} stack.sandboxUrl
 * @param {string} stack.partnerUrl
 * @param {import("./stack.mjs").BrandAddress[]} stack.brands as the server knows them
 * @param {string} stack.dataDir
 * @param {boolean} stack.sandbox false outside development: then there is no sandbox and nothing of the demo
 * @returns {string[]} lines
 */
export function addresses({ url, sandboxUrl, partnerUrl, brands, dataDir, sandbox }) {
  /** @param {string} label @param {string} text @param {string} [what] */
  const row = (label, text, what) => `  ${label.padEnd(14)}${what ? text.padEnd(42) + what : text}`;
  const brandRows = brands.map(({ url: at, name, audience }, index) =>
    row(index === 0 ? "Brands" : "", at, `${name}, for ${audience}`),
  );
  const ends = [row("Data", dataDir), row("Stop", "Ctrl-C"), ""];
  if (!sandbox) {
    const [main] = brands;
    const admin = main ? [row("Admin", `${main.url}/admin`, "for operators")] : [];
    return ["", row("Listening on", url, "for your proxy"), ...brandRows, ...admin, ...ends];
  }
  return [
    "",
    row("Members' site", url),
    ...brandRows,
    row("Admin", `${url}/admin`, "for operators; the code of a sign-in is in the mailbox"),
    row("Sandbox", sandboxUrl, "stands in for the retailers' shops and their network"),
    row("Demo partner", partnerUrl, "a shop whose visitors pay through the widget"),
    row("Mailbox", `${sandboxUrl}/mailbox`, "every e-mail the site sends"),
    "",
    ...demoAccounts.map(({ name, what, brands: only }, index) =>
      row(index === 0 ? "Log in as" : "", `${name}@<brand>.example`, only ? `${what} (${only.join(", ")})` : what),
    ),
    ...demoOperators.map(({ name, what }, index) =>
      row(index === 0 ? "Operators" : "", `${name}@farthing.example`, what),
    ),
    row("Password", demoPassword),
    ...demoCards.map(({ number, what }, index) => row(index === 0 ? "Pay with" : "", number, what)),
    ...ends,
  ];
}
