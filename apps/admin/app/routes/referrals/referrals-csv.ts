import { referralList } from "@farthing/core/referrals/list-referrals.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { referralListing } from "./referral-list.tsx";
import type { Route } from "./+types/referrals-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "referrals.export", referralListing, referralList);
