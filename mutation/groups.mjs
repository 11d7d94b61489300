// The pure rules that `npm run mutate` changes, by group, and the tests that must notice (decision 024). None of these tests opens a database.

/** @typedef {{ name: string, files: string[], tests: string[] }} Group */

const core = "packages/core";
const widget = "packages/widget/src";

/** @type {Group[]} */
export const groups = [
  { name: "money", files: [`${core}/money/money.ts`], tests: [`${core}/money/money.test.ts`] },
  {
    name: "rates",
    files: [`${core}/catalogue/rates.ts`, `${core}/clicks/rate-snapshot.ts`, `${core}/catalogue/import/member-rate.ts`],
    tests: [
      `${core}/catalogue/rates.test.ts`,
      `${core}/clicks/rate-snapshot.test.ts`,
      `${core}/catalogue/import/rules.test.ts`,
    ],
  },
  {
    name: "cashback",
    files: [`${core}/cashback/rules.ts`, `${core}/cashback/earnings.ts`, `${core}/cashback/timeline.ts`],
    tests: ["earnings", "rules", "timeline"].map((name) => `${core}/cashback/${name}.test.ts`),
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
      "fresh-session",
      "login-limits",
      "masked-email",
      "next-path",
      "recovery-codes",
      "rules",
      "schema",
      "sealed-secret",
      "token-rules",
      "totp",
    ].map((name) => `${core}/members/${name}.ts`),
    tests: [
      `${core}/members/rules.test.ts`,
      `${core}/members/next-path.test.ts`,
      `${core}/members/sign-in-rules.test.ts`,
    ],
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
