import { referralList, type OperatorReferral } from "@farthing/core/referrals/list-referrals.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Badge } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import type { List } from "../../kit/list.ts";
import { loadList } from "../../kit/load-list.server.ts";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/referral-list-page";

const referralListing: List<OperatorReferral, "time"> = {
  name: "referrals",
  path: "/admin/referrals",
  rows: "invitations",
  sorts: ["time"],
  defaultSort: "time",
  keyOf: ({ publicId }) => publicId,
  nameOf: ({ publicId }) => `referral ${publicId}`,
  filters: [
    { name: "q", label: "Find", kind: "text", placeholder: "Referral or member number" },
    {
      name: "which",
      label: "Which",
      kind: "choice",
      choices: [{ value: "all", label: "All" }],
      none: "Held",
    },
  ],
  columns: [
    {
      key: "referral",
      label: "Referral",
      cell: ({ publicId }) => (
        <a href={`/admin/referrals/${publicId}`}>
          <span className="id">{publicId}</span>
        </a>
      ),
    },
    {
      key: "held",
      label: "Held since",
      cell: ({ heldSince }) => (heldSince ? <Moment at={heldSince} isDay /> : <span className="soft">not held</span>),
    },
    {
      key: "why",
      label: "Why",
      cell: ({ reasons }) =>
        reasons?.map((reason) => (
          <span key={reason}>
            <Badge tone="warn">{reason.replaceAll("_", " ")}</Badge>{" "}
          </span>
        )) ?? "–",
    },
    {
      key: "inviter",
      label: "Inviter",
      cell: ({ inviterId, inviterNumber }) => (
        <a href={`/admin/members/${inviterId}`}>
          <span className="id">{inviterNumber}</span>
        </a>
      ),
    },
    {
      key: "friend",
      label: "Friend",
      cell: ({ friendId, friendNumber }) => (
        <a href={`/admin/members/${friendId}`}>
          <span className="id">{friendNumber}</span>
        </a>
      ),
    },
    { key: "brand", label: "Brand", cell: ({ brand }) => brand },
    { key: "bonuses", label: "Bonuses", cell: ({ bonuses }) => bonuses },
    { key: "pence", label: "Both", isNumber: true, cell: ({ bonusPence }) => <Amount pence={bonusPence} /> },
    {
      key: "joined",
      label: "Friend joined",
      sort: "time",
      cell: ({ registeredAt }) => <Moment at={registeredAt} isDay />,
    },
  ],
};

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
