import type { ListedRequest } from "@farthing/core/verification-requests/list-requests.server.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

export const requestTones: Record<string, Tone> = { submitted: "warn", accepted: "good", rejected: "bad" };

const proofWords = ({ proof, isRenewal }: ListedRequest) => `${proof ?? "A document"}${isRenewal ? ", renewal" : ""}`;

/** Proofs of membership as a list. Brands are data, so the page adds them to the filters. */
export function verificationListing(
  brands: readonly { slug: string; name: string }[],
): List<ListedRequest, "submitted"> {
  return {
    name: "verifications",
    path: "/admin/verifications",
    csvPath: "/admin/verifications.csv",
    rows: "proofs",
    sorts: ["submitted"],
    defaultSort: "submitted",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ memberName }) => memberName,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Name or e-mail" },
      {
        name: "state",
        label: "State",
        kind: "choice",
        none: "Waiting",
        choices: [
          { value: "accepted", label: "Accepted" },
          { value: "rejected", label: "Rejected" },
          { value: "any", label: "All" },
        ],
      },
      {
        name: "brand",
        label: "Brand",
        kind: "choice",
        choices: brands.map(({ slug, name }) => ({ value: slug, label: name })),
      },
    ],
    columns: [
      {
        key: "submitted",
        label: "Sent",
        sort: "submitted",
        cell: ({ publicId, submittedAt }) => (
          <a href={`/admin/verifications/${publicId}`}>
            <Moment at={submittedAt} />
          </a>
        ),
        csv: ({ submittedAt }) => submittedAt,
      },
      {
        key: "member",
        label: "Member",
        cell: ({ memberId, memberName }) => <a href={`/admin/members/${memberId}`}>{memberName}</a>,
        csv: ({ memberName }) => memberName,
      },
      { key: "brand", label: "Brand", cell: ({ brand }) => brand, csv: ({ brand }) => brand },
      { key: "type", label: "Says they are", cell: ({ type }) => type ?? "–", csv: ({ type }) => type },
      {
        key: "proof",
        label: "Proof",
        cell: proofWords,
        csv: proofWords,
      },
      {
        key: "state",
        label: "State",
        cell: ({ state }) => <Badge tone={requestTones[state] ?? "plain"}>{state}</Badge>,
        csv: ({ state }) => state,
      },
      {
        key: "decided",
        label: "Decided",
        cell: ({ decidedAt }) => <Moment at={decidedAt} />,
        csv: ({ decidedAt }) => decidedAt,
      },
      { key: "by", label: "By", cell: ({ decidedBy }) => decidedBy ?? "–", csv: ({ decidedBy }) => decidedBy },
    ],
  };
}
