import type { ListedMember, MemberSort } from "@farthing/core/members/list-members.server.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

export const verificationTones: Record<string, Tone> = {
  verified: "good",
  submitted: "warn",
  rejected: "bad",
  lapsed: "bad",
};

const states = [
  { value: "open", label: "Open" },
  { value: "suspended", label: "Suspended" },
  { value: "closed", label: "Closed" },
];

/** Members as a list. Brands are data, so the page adds them to the filters. */
export function memberListing(brands: readonly { slug: string; name: string }[]): List<ListedMember, MemberSort> {
  return {
    name: "members",
    path: "/admin/members",
    csvPath: "/admin/members.csv",
    rows: "members",
    sorts: ["joined", "name"],
    defaultSort: "-joined",
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Name, e-mail, order, click …" },
      {
        name: "brand",
        label: "Brand",
        kind: "choice",
        choices: brands.map(({ slug, name }) => ({ value: slug, label: name })),
      },
      {
        name: "verification",
        label: "Membership",
        kind: "choice",
        choices: ["unverified", "submitted", "verified", "rejected", "lapsed"].map((value) => ({
          value,
          label: value,
        })),
      },
      { name: "state", label: "Account", kind: "choice", choices: states },
    ],
    bulk: [{ name: "suspend", label: "Suspend …", isDanger: true }],
    columns: [
      {
        key: "name",
        label: "Name",
        sort: "name",
        cell: ({ id, name }) => <a href={`/admin/members/${id}`}>{name}</a>,
        csv: ({ name }) => name,
      },
      { key: "email", label: "E-mail", cell: ({ email }) => email, csv: ({ email }) => email },
      {
        key: "number",
        label: "Number",
        cell: ({ number }) => <span className="id">{number}</span>,
        csv: ({ number }) => number,
      },
      { key: "brand", label: "Brand", cell: ({ brand }) => brand, csv: ({ brand }) => brand },
      {
        key: "verification",
        label: "Membership",
        cell: ({ verification }) => <Badge tone={verificationTones[verification] ?? "plain"}>{verification}</Badge>,
        csv: ({ verification }) => verification,
      },
      {
        key: "state",
        label: "Account",
        cell: (member) => <AccountState {...member} />,
        csv: ({ closedAt, suspendedAt }) => (closedAt ? "closed" : suspendedAt ? "suspended" : "open"),
      },
      {
        key: "joined",
        label: "Joined",
        sort: "joined",
        cell: ({ joinedAt }) => <Moment at={joinedAt} isDay />,
        csv: ({ joinedAt }) => joinedAt,
      },
    ],
  };
}

export function AccountState({ closedAt, suspendedAt }: { closedAt: Date | null; suspendedAt: Date | null }) {
  if (closedAt) return <Badge>closed</Badge>;
  return suspendedAt ? <Badge tone="bad">suspended</Badge> : <Badge tone="good">open</Badge>;
}
