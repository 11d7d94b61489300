import { decimalPounds } from "@farthing/core/money/money.ts";
import type { OperatorReferral } from "@farthing/core/referrals/list-referrals.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

/** Invitations and their bonuses as a list. */
export const referralListing: List<OperatorReferral, "time"> = {
  name: "referrals",
  path: "/admin/referrals",
  csvPath: "/admin/referrals.csv",
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
      csv: ({ publicId }) => publicId,
    },
    {
      key: "held",
      label: "Held since",
      cell: ({ heldSince }) => (heldSince ? <Moment at={heldSince} isDay /> : <span className="soft">not held</span>),
      csv: ({ heldSince }) => heldSince,
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
      csv: ({ reasons }) => reasons?.join(", "),
    },
    {
      key: "inviter",
      label: "Inviter",
      cell: ({ inviterId, inviterNumber }) => (
        <a href={`/admin/members/${inviterId}`}>
          <span className="id">{inviterNumber}</span>
        </a>
      ),
      csv: ({ inviterNumber }) => inviterNumber,
    },
    {
      key: "friend",
      label: "Friend",
      cell: ({ friendId, friendNumber }) => (
        <a href={`/admin/members/${friendId}`}>
          <span className="id">{friendNumber}</span>
        </a>
      ),
      csv: ({ friendNumber }) => friendNumber,
    },
    { key: "brand", label: "Brand", cell: ({ brand }) => brand, csv: ({ brand }) => brand },
    { key: "bonuses", label: "Bonuses", cell: ({ bonuses }) => bonuses, csv: ({ bonuses }) => bonuses },
    {
      key: "pence",
      label: "Both",
      isNumber: true,
      cell: ({ bonusPence }) => <Amount pence={bonusPence} />,
      csv: ({ bonusPence }) => decimalPounds(bonusPence),
    },
    {
      key: "joined",
      label: "Friend joined",
      sort: "time",
      cell: ({ registeredAt }) => <Moment at={registeredAt} isDay />,
      csv: ({ registeredAt }) => registeredAt,
    },
  ],
};
