import type { GivenGoodwill } from "@farthing/core/goodwill/operations.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import type { Faults } from "../../kit/read-form.ts";

/** Returns why a credit was not given, in words by the field of its form. */
export function goodwillFaults(given: GivenGoodwill): Faults {
  switch (given.outcome) {
    case "given":
      return { reference: "This reference was used for the same credit before; nothing was done." };
    case "reference-taken":
      return { reference: "This reference was used for another credit, or for one that was taken back." };
    case "over-limit": {
      const whose = given.limit === "member" ? "this member in 365 days" : "all members in 24 hours";
      return { amount: `${formatPence(given.leftPence)} is left of the limit for ${whose}.` };
    }
    case "no-such-member":
      return { form: "The member has left." };
    case "no-such-claim":
    case "claim-not-declined":
      return { form: "There is no declined claim that this could settle." };
  }
}
