import { memberName } from "./truth.ts";
import type { World } from "./world.ts";

const HOLD_OF_DETAILS_MS = 72 * 3_600_000;
/** A sort code that no rule of the modulus check covers. */
const SORT_CODE = "99-99-99";

/** A member who is logged in gives bank details, other ones each time. */
export async function giveDetails(world: World, member: number): Promise<void> {
  const own = world.members[member]!;
  own.detailsGiven += 1;
  const version = own.detailsGiven;
  const usableFrom = new Date(world.stack.now().getTime() + HOLD_OF_DETAILS_MS);
  const answer = await own.browser.post("/money/bank-details", {
    payee_name: memberName(member),
    sort_code: SORT_CODE,
    account_number: String(10_000_000 + member * 100 + version),
  });
  if (answer.status !== 303)
    throw new Error(`The bank details of ${memberName(member)} were answered ${answer.status}: ${answer.text}`);
  own.bank = { usableFrom, version };
}
