// The pure rules that `npm run mutate` changes, by group, and the tests that must notice (decision 024). None of these tests opens a database.

/** @typedef {{ name: string, files: string[], tests: string[] }} Group */

const core = "packages/core";
const widget = "packages/widget/src";

/** @type {Group[]} */
export const groups = [
  { name: "money", files: [`${core}/money/money.ts`], tests: [`${core}/money/money.test.ts`] },
  {
    name: "rates",
    files: [
      `${core}/catalogue/rates.ts`,
      `${core}/clicks/rate-snapshot.ts`,
      `${core}/catalogue-imports/member-rate.ts`,
    ],
    tests: [
      `${core}/catalogue/rates.test.ts`,
      `${core}/clicks/rate-snapshot.test.ts`,
      `${core}/catalogue-imports/rules.test.ts`,
    ],
  },
  {
    name: "cashback",
    files: [`${core}/cashback/rules.ts`, `${core}/cashback/earnings.ts`, `${core}/cashback/timeline.ts`],
    tests: ["earnings", "rules", "timeline"].map((name) => `${core}/cashback/${name}.test.ts`),
  },
  {
    name: "networks",
    files: [
      "cj/cj-report",
      "cj/cj-reason",
      "rakuten/rakuten-report",
      "rakuten/rakuten-calendar",
      "rakuten/rakuten-push",
    ].map((name) => `packages/providers/affiliates/${name}.ts`),
    tests: ["cj/cj", "rakuten/rakuten"].map((name) => `packages/providers/affiliates/${name}.test.ts`),
  },
  { name: "ledger", files: [`${core}/ledger/rules.ts`], tests: [`${core}/ledger/rules.test.ts`] },
  { name: "reveals", files: [`${core}/reveals/token.ts`], tests: [`${core}/reveals/token.test.ts`] },
  {
    name: "payments",
    files: [`${core}/payments/rules.ts`, `${core}/payments/overdue-rules.ts`, `${core}/payments/schema.ts`],
    tests: [`${core}/payments/rules.test.ts`],
  },
  {
    name: "sign-in",
    files: [
      "members/masked-email",
      "members/token-rules",
      "secrets/sealed-secret",
      "sign-in/counted-address",
      "sign-in/fresh-session",
      "sign-in/login-limits",
      "sign-in/next-path",
      "sign-in/recovery-codes",
      "sign-in/rules",
      "sign-in/schema",
      "sign-in/totp",
    ].map((name) => `${core}/${name}.ts`),
    tests: [
      "members/masked-email",
      "members/token-rules",
      "secrets/sealed-secret",
      "sign-in/counted-address",
      "sign-in/fresh-session",
      "sign-in/login-limits",
      "sign-in/next-path",
      "sign-in/recovery-codes",
      "sign-in/rules",
      "sign-in/schema",
      "sign-in/totp",
    ].map((name) => `${core}/${name}.test.ts`),
  },
  {
    name: "widget",
    files: [
      "environments",
      "frame-address",
      "http-url",
      "pounds",
      "read-frame-message",
      "read-host-message",
      "read-json-message",
      "return-url",
      "write-host-message",
    ].map((name) => `${widget}/${name}.ts`),
    tests: ["addresses", "pounds", "read-frame-message", "read-json-message", "write-host-message"].map(
      (name) => `${widget}/${name}.test.ts`,
    ),
  },
];

/** Returns the groups named in FARTHING_MUTATE, or all. */
export function chosenGroups() {
  const names = (process.env["FARTHING_MUTATE"] ?? "").split(",").filter(Boolean);
  return groups.filter(({ name }) => names.length === 0 || names.includes(name));
}
