import type { ListedRequest } from "@farthing/core/verification-requests/list-requests.server.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

export const requestTones: Record<string, Tone> = { submitted: "warn", accepted: "good", rejected: "bad" };

export function verificationListing(
  brands: readonly { slug: string; name: string }[],
): List<ListedRequest, "submitted"> {
  return {
    name: "verifications",
    path: "/admin/verifications",
    rows: "proofs",
    sorts: ["submitted"],
    defaultSort: "submitted",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ memberName }) => memberName,
    filters: [
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
      },
      {
        key: "member",
        label: "Member",
        cell: ({ memberId, memberName }) => <a href={`/admin/members/${memberId}`}>{memberName}</a>,
      },
      { key: "brand", label: "Brand", cell: ({ brand }) => brand },
      { key: "type", label: "Says they are", cell: ({ type }) => type ?? "–" },
      {
        key: "proof",
        label: "Proof",
        cell: ({ proof, isRenewal }) => `${proof ?? "A document"}${isRenewal ? ", renewal" : ""}`,
      },
      {
        key: "state",
        label: "State",
        cell: ({ state }) => <Badge tone={requestTones[state] ?? "plain"}>{state}</Badge>,
      },
      {
        key: "decided",
        label: "Decided",
        cell: ({ decidedAt, decidedBy }) =>
          decidedAt ? (
            <>
              <Moment at={decidedAt} /> by {decidedBy}
            </>
          ) : (
            "–"
          ),
      },
    ],
  };
}
