// The demo accounts and test cards that npm start prints. apps/server/development/demo-access.test.ts compares them with README.md and the seeds.

/** The password of every demo account (Z3). */
export const demoPassword = "Farthing-2026";

/**
 * The demo accounts of each brand: `<name>@<brand>.example`. An account with `brands` exists in those brands only.
 * @type {{ name: string, what: string, brands?: string[] }[]}
 */
export const demoAccounts = [
  { name: "member", what: "verified, with history" },
  { name: "new", what: "not verified yet" },
  { name: "waiting", what: "has sent proof of membership and waits for a decision (npm run verifications)" },
  {
    name: "retired",
    what: "sees a pop-up that offers a move to the carers' club",
    brands: ["chalkside", "wardlight", "tinrattle"],
  },
];

/**
 * The demo operators of /admin: `<name>@farthing.example`, with the same password. The code of each sign-in is in the mailbox.
 * @type {{ name: string, what: string }[]}
 */
export const demoOperators = [
  { name: "owner", what: "may do everything, and decides who is an operator" },
  { name: "support", what: "looks after members" },
  { name: "catalogue", what: "keeps retailers, offers and brands" },
  { name: "finance", what: "looks after money" },
];

/** Cards that the demo partner's shop accepts, with any future expiry date and any security code. */
export const demoCards = [
  { number: "4242 4242 4242 4242", what: "succeeds" },
  { number: "4000 0000 0000 9995", what: "declined: insufficient funds" },
  { number: "4000 0000 0000 3220", what: "bank challenge, which you complete or fail" },
];
