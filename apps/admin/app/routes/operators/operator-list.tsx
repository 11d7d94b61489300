import { roles, roleWords } from "@farthing/core/operators/permissions.ts";
import type { ListedOperator } from "@farthing/core/operators/queries.server.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

const tones: Record<ListedOperator["state"], Tone> = { open: "good", invited: "warn", disabled: "bad" };

export function OperatorState({ state }: Pick<ListedOperator, "state">) {
  return <Badge tone={tones[state]}>{state}</Badge>;
}

export const roleChoices = roles.map((value) => ({
  value,
  label: `${roleWords[value].name}: ${roleWords[value].does}`,
}));

export const operatorListing: List<ListedOperator, "name" | "created"> = {
  name: "operators",
  path: "/admin/operators",
  csvPath: "/admin/operators.csv",
  rows: "operators",
  sorts: ["name", "created"],
  defaultSort: "name",
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  filters: [
    { name: "q", label: "Find", kind: "text", placeholder: "Name or address" },
    {
      name: "role",
      label: "Role",
      kind: "choice",
      choices: roles.map((value) => ({ value, label: roleWords[value].name })),
    },
  ],
  columns: [
    {
      key: "name",
      label: "Name",
      sort: "name",
      cell: ({ id, name }) => <a href={`/admin/operators/${id}`}>{name}</a>,
      csv: ({ name }) => name,
    },
    { key: "email", label: "E-mail", cell: ({ email }) => email, csv: ({ email }) => email },
    { key: "role", label: "Role", cell: ({ role }) => roleWords[role].name, csv: ({ role }) => role },
    { key: "state", label: "State", cell: (operator) => <OperatorState {...operator} />, csv: ({ state }) => state },
    {
      key: "factor",
      label: "Second factor",
      cell: ({ hasSecondFactor }) => (hasSecondFactor ? "set up" : <Badge tone="warn">not yet</Badge>),
      csv: ({ hasSecondFactor }) => hasSecondFactor,
    },
    {
      key: "sessions",
      label: "Sessions",
      isNumber: true,
      cell: ({ sessions }) => sessions,
      csv: ({ sessions }) => sessions,
    },
    {
      key: "used",
      label: "Last seen",
      cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
      csv: ({ lastUsedAt }) => lastUsedAt,
    },
    {
      key: "created",
      label: "Added",
      sort: "created",
      cell: ({ createdAt }) => <Moment at={createdAt} isDay />,
      csv: ({ createdAt }) => createdAt,
    },
  ],
};
