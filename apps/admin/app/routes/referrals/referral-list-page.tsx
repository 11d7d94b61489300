import { referralList, type OperatorReferral } from "@farthing/core/referrals/list-referrals.server.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { referralListing } from "./referral-list.tsx";
import type { Route } from "./+types/referral-list-page";

export function loader(args: Route.LoaderArgs) {
  return loadList<OperatorReferral, "time">(args, referralListing, referralList);
}

export default function ReferralListPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Invitations"
        intro="Bonuses of invitations that look like one person are held until somebody lifts or refuses them."
      />
      <ListScreen list={referralListing} loaded={loaderData} empty={<p>No bonus is held.</p>} />
    </>
  );
}
