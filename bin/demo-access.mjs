// How somebody gets into a development machine's Farthing: the one list behind what npm start prints, checked against README.md and against
// what the seeds make (apps/server/development/demo-access.test.ts).

/** The password of every demo account (product.md Z3). */
export const demoPassword = "Farthing-2026";

/**
 * The demo accounts of each brand, as `<name>@<brand>.example`; in `brands` alone, where that is given.
 * @type {{ name: string, what: string, brands?: string[] }[]}
 */
export const demoAccounts = [
  { name: "member", what: "verified, with history" },
  { name: "new", what: "not verified yet" },
  { name: "waiting", what: "has sent a proof of membership, which waits for a decision (npm run verifications)" },
  {
    name: "retired",
    what: "is offered a move to the carers' club by a pop-up",
    brands: ["chalkside", "wardlight", "tinrattle"],
  },
];

/** Cards that the demo partner's shop takes, with any expiry date to come and any security code. */
export const demoCards = [
  { number: "4242 4242 4242 4242", what: "pays" },
  { number: "4000 0000 0000 9995", what: "is declined: insufficient funds" },
  { number: "4000 0000 0000 3220", what: "asks the bank first: complete or fail the challenge" },
];
