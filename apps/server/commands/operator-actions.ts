import { commandLine } from "../command-line.ts";
import { findBrokenEntries } from "@farthing/core/audit/check-chain.server.ts";
import {
  changeOperator,
  disableOperator,
  inviteOperator,
  resetOperator,
  type Invited,
  type OperatorChange,
} from "@farthing/core/operators/operations.server.ts";
import { roles, type Role } from "@farthing/core/operators/permissions.ts";
import { findOperators, type ListedOperator } from "@farthing/core/operators/queries.server.ts";
import { newOperatorSchema } from "@farthing/core/operators/schema.ts";
import type { Db } from "@farthing/db/client.ts";
import { recorded } from "./recorded.ts";

export const OPERATOR_USAGE = `${commandLine("operators <action>")}

  list                            every operator with role and state
  add <e-mail> <name> <role>      adds an operator and mails the link to choose a password
  role <e-mail> <role>            changes the role
  disable <e-mail>                ends sessions, and refuses all sign-in
  reset <e-mail>                  ends password, second factor and sessions, and mails a link to begin again
  check-log                       proves that no entry of the audit log was changed or removed

<role> is one of ${roles.join(", ")}.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class OperatorActionError extends Error {}

export interface OperatorActionParts {
  db: Db;
  /** The system account that is recorded as having acted. */
  by: string;
  now(): Date;
}

/**
 * Runs one action of `npm run operators` from its typed words. Returns the lines to print. @throws OperatorActionError
 * that says what to do.
 */
export async function runOperatorAction(parts: OperatorActionParts, words: readonly string[]): Promise<string[]> {
  const [action, email = "", ...more] = words;
  if (action === "list" && words.length === 1) return await list(parts);
  if (action === "check-log" && words.length === 1) return await checkLog(parts);
  if (action === "add" && more.length === 2) return await add(parts, email, more);
  if (action === "role" && more.length === 1) return await changeRole(parts, email, more[0] ?? "");
  if (action === "disable" && email && more.length === 0) return await disable(parts, email);
  if (action === "reset" && email && more.length === 0) return await reset(parts, email);
  throw new OperatorActionError(OPERATOR_USAGE);
}

async function list({ db }: OperatorActionParts): Promise<string[]> {
  const operators = await findOperators(db);
  if (operators.length === 0) return ["There is no operator yet. Add the first owner with “add”."];
  return operators.map(
    ({ email, name, role, state, hasSecondFactor }) =>
      `${email}  ${name}  ${role}  ${state}${hasSecondFactor ? "" : "  (no second factor yet)"}`,
  );
}

async function checkLog({ db }: OperatorActionParts): Promise<string[]> {
  const broken = await findBrokenEntries(db);
  if (broken.length === 0) return ["Every entry of the audit log is as it was written."];
  throw new OperatorActionError(
    `The audit log was changed past its guards. The first entries that do not fit: ${broken.join(", ")}. Compare with a backup.`,
  );
}

async function add(parts: OperatorActionParts, email: string, [name, role]: readonly string[]): Promise<string[]> {
  const typed = newOperatorSchema.safeParse({ email, name, role });
  if (!typed.success) throw new OperatorActionError(typed.error.issues.map(({ message }) => message).join("\n"));
  await requireBrand(parts.db);
  const invited = await recorded(
    parts,
    {
      permission: "operators.change",
      action: "operator.invite",
      subject: { type: "operator", idOf: (result: Invited) => (result.outcome === "invited" ? result.id : "") },
      changed: ({ outcome }: Invited) => outcome === "invited",
    },
    (joined, now) => inviteOperator(joined, { operator: typed.data, now }),
  );
  if (invited.outcome === "known") throw new OperatorActionError(`${typed.data.email} is an operator already.`);
  return [`${typed.data.email} is invited as ${typed.data.role}. The link to choose a password is on its way.`];
}

async function changeRole(parts: OperatorActionParts, email: string, role: string): Promise<string[]> {
  if (!(roles as readonly string[]).includes(role)) throw new OperatorActionError(OPERATOR_USAGE);
  const { id, name, version } = await known(parts.db, email);
  const { outcome } = await recorded(
    parts,
    {
      permission: "operators.change",
      action: "operator.change",
      subject: { type: "operator", id },
      changed: (result: OperatorChange) => result.outcome === "changed",
    },
    (joined, now) => changeOperator(joined, { id, name, role: role as Role, version, now }),
  );
  if (outcome === "last-owner")
    throw new OperatorActionError(
      "This is the last owner: no other has chosen a password. Make somebody else an owner first.",
    );
  if (outcome !== "changed") throw new OperatorActionError("Somebody changed this operator just now. Try again.");
  return [`${email} is now ${role}.`];
}

async function disable(parts: OperatorActionParts, email: string): Promise<string[]> {
  const { id } = await known(parts.db, email);
  const outcome = await recorded(
    parts,
    {
      permission: "operators.change",
      action: "operator.disable",
      subject: { type: "operator", id },
      changed: (result: string) => result === "disabled",
    },
    (joined, now) => disableOperator(joined, { id, now }),
  );
  if (outcome === "last-owner")
    throw new OperatorActionError(
      "This is the last owner: no other has chosen a password. Make somebody else an owner first.",
    );
  if (outcome !== "disabled") throw new OperatorActionError(`Nothing was done: ${email} is disabled already.`);
  return [`${email} is disabled and signed out.`];
}

async function reset(parts: OperatorActionParts, email: string): Promise<string[]> {
  const { id } = await known(parts.db, email);
  const what = { permission: "operators.change", action: "operator.reset", subject: { type: "operator", id } } as const;
  if (!(await recorded(parts, what, (joined, now) => resetOperator(joined, { id, now }))))
    throw new OperatorActionError(`Nothing was done: ${email} is disabled.`);
  return [`The access of ${email} is reset. The link to begin again is on its way.`];
}

/** Mails to operators have the look and the links of the default brand. */
async function requireBrand(db: Db): Promise<void> {
  const brand = await db.selectFrom("brands").select("id").where("is_default", "=", true).executeTakeFirst();
  if (!brand)
    throw new OperatorActionError(
      `There is no brand yet, so no link can be mailed. Make one first: ${commandLine("brands")}.`,
    );
}

async function known(db: Db, typed: string): Promise<ListedOperator> {
  const email = typed.trim().toLowerCase();
  const found = (await findOperators(db)).find((operator) => operator.email === email);
  if (!found) throw new OperatorActionError(`No operator has the address ${email}. “list” shows them.`);
  return found;
}
