import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { Role } from "./permissions.ts";

export interface ListedOperator {
  id: string;
  email: string;
  name: string;
  role: Role;
  version: number;
  /** "invited": has chosen no password yet. */
  state: "invited" | "open" | "disabled";
  hasSecondFactor: boolean;
  sessions: number;
  lastUsedAt: Date | null;
  createdAt: Date;
}

export function operatorList({ q, role }: { q?: string; role?: string }): ListQuery<"name" | "created"> {
  const like = `%${(q ?? "").toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    from: sql`operators operator`,
    select: sql`operator.id, operator.email, operator.name, operator.role, operator.version,
      case when operator.disabled_at is not null then 'disabled' when operator.password is null then 'invited'
        else 'open' end as state,
      exists (select from operator_second_factors factor
        where factor.operator_id = operator.id and factor.enabled_at is not null) as "hasSecondFactor",
      (select count(*)::int from operator_sessions session
        where session.operator_id = operator.id and session.step = 'open') as sessions,
      (select max(used_at) from operator_sessions session where session.operator_id = operator.id) as "lastUsedAt",
      operator.created_at as "createdAt"`,
    where: [
      ...(q ? [sql`(lower(operator.name) like ${like} or operator.email like ${like})`] : []),
      ...(role ? [sql`operator.role = ${role}`] : []),
    ],
    sorts: {
      name: { by: sql`lower(operator.name)`, type: "text" },
      created: { by: sql`operator.created_at`, type: "timestamptz" },
    },
    id: { by: sql`operator.id`, type: "uuid" },
  };
}

export async function findOperator(db: Db, { id }: { id: string }): Promise<ListedOperator | null> {
  const { from, select } = operatorList({});
  const { rows } = await sql<ListedOperator>`select ${select} from ${from} where operator.id::text = ${id}`.execute(db);
  return rows[0] ?? null;
}

export interface OperatorSessionRow {
  id: string;
  step: string;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  usedAt: Date;
}

export function findOperatorSessions(
  db: Db,
  { operatorId, now }: { operatorId: string; now: Date },
): Promise<OperatorSessionRow[]> {
  return db
    .selectFrom("operator_sessions")
    .select([
      "id",
      "step",
      "ip_address as address",
      "user_agent as userAgent",
      "created_at as createdAt",
      "used_at as usedAt",
    ])
    .where("operator_id", "=", operatorId)
    .where("expires_at", ">", now)
    .orderBy("used_at", "desc")
    .limit(50)
    .execute();
}

/** Returns every operator, for commands. */
export async function findOperators(db: Db): Promise<ListedOperator[]> {
  const { from, select } = operatorList({});
  const { rows } = await sql<ListedOperator>`select ${select} from ${from} order by operator.email`.execute(db);
  return rows;
}
