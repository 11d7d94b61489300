import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { lockOwners } from "../operators/lock-owners.server.ts";
import { may, type Permission, type Role } from "../operators/permissions.ts";
import type { Action } from "./actions.ts";
import { findState, type RecordState } from "./find-state.server.ts";
import { joinTransaction } from "./join-transaction.server.ts";
import type { SubjectType } from "./subjects.ts";

/** Who acts: an operator in a session, or whoever runs a command on the server. */
export type Actor = { operator: { id: string; email: string }; requestId: string | null; now: Date } | Command;
interface Command {
  command: string;
  now: Date;
}

export interface Act<Result> {
  permission: Permission;
  /** What the log is filtered by (actions.ts). */
  action: Action;
  /** Returns the action that was done, where the result decides which. Default: `action`. */
  actionOf?(result: NoInfer<Result>): Action;
  /** The record that changes. `idOf`: its id is known afterwards only, because the act creates it. */
  subject: { type: SubjectType; id: string } | { type: SubjectType; idOf(result: NoInfer<Result>): string };
  why?: string | null;
  /** Returns whether anything was changed. If not, all is undone and the log has no entry. Default: unless `false` or null. */
  changed?(result: NoInfer<Result>): boolean;
}

/** Thrown where an operator may not do what was asked; pages answer 403. */
export class NotPermittedError extends Error {
  readonly permission: Permission;
  constructor(permission: Permission) {
    super(`This needs the permission ${permission}`);
    this.name = "NotPermittedError";
    this.permission = permission;
  }
}

/**
 * Does one thing on behalf of an operator (A1): checks that the operator may, changes, and writes the entry of the log
 * with the record before and after it. All of it commits together or not at all. `change` gets a database in which
 * operations of core join the transaction.
 * @throws NotPermittedError
 */
export async function act<Result>(
  db: Db,
  actor: Actor,
  what: Act<Result>,
  change: (db: Db) => Promise<Result>,
): Promise<Result> {
  const undone = new Undone<Result>();
  try {
    return await db.transaction().execute(async (trx) => {
      await checkPermission(trx, actor, what.permission);
      const { subject } = what;
      const before = "id" in subject ? await findState(trx, subject) : null;
      const result = await change(joinTransaction(trx));
      const hasChanged = what.changed ? what.changed(result) : result !== false && result !== null;
      if (!hasChanged) throw undone.with(result);
      const id = "id" in subject ? subject.id : subject.idOf(result);
      const after = await findState(trx, { type: subject.type, id });
      const action = what.actionOf?.(result) ?? what.action;
      await insertEntry(trx, actor, { ...what, action, subject: { type: subject.type, id }, before, after });
      return result;
    });
  } catch (error) {
    if (error === undone) return undone.result as Result;
    throw error;
  }
}

/**
 * Does one thing that asks an outside service on the way, and therefore takes several transactions: a refund, an order.
 * The log gets `<action>.begin` before, with the reason, and `<action>` after it. An entry without its second one was
 * cut off: look at the record.
 * @throws NotPermittedError
 */
export async function actOutside<Result>(
  db: Db,
  actor: Actor,
  { subject, ...what }: Omit<Act<Result>, "subject" | "actionOf"> & { subject: { type: SubjectType; id: string } },
  change: (db: Db) => Promise<Result>,
): Promise<Result> {
  const before = await db.transaction().execute(async (trx) => {
    await checkPermission(trx, actor, what.permission);
    const state = await findState(trx, subject);
    const action = `${what.action}.begin` as const;
    await insertEntry(trx, actor, { ...what, action, subject, before: state, after: state });
    return state;
  });
  const result = await change(db);
  const hasChanged = what.changed ? what.changed(result) : result !== false && result !== null;
  await db.transaction().execute(async (trx) => {
    const after = hasChanged ? await findState(trx, subject) : before;
    const action = hasChanged ? what.action : (`${what.action}.refused` as const);
    await insertEntry(trx, actor, { ...what, action, subject, before, after });
  });
  return result;
}

/** Reads the role anew and locks it: what an owner has just taken away is gone. */
async function checkPermission(trx: Trx, actor: Actor, permission: Permission): Promise<void> {
  if ("command" in actor) return;
  // The lock below is weaker than a change of operators needs, and could not be raised while another such change holds it too.
  if (permission === "operators.change") await lockOwners(trx);
  const operator = await trx
    .selectFrom("operators")
    .select("role")
    .where("id", "=", actor.operator.id)
    .where("disabled_at", "is", null)
    .forShare()
    .executeTakeFirst();
  if (!operator || !may(operator.role as Role, permission)) throw new NotPermittedError(permission);
}

interface Entry {
  action: string;
  subject: { type: SubjectType; id: string };
  before: RecordState | null;
  after: RecordState | null;
  why?: string | null;
}

async function insertEntry(trx: Trx, actor: Actor, { action, subject, before, after, why = null }: Entry) {
  const [operatorId, name, requestId] =
    "command" in actor
      ? [null, `command: ${actor.command}`, null]
      : [actor.operator.id, actor.operator.email, actor.requestId];
  const json = (state: RecordState | null) => (state === null ? null : JSON.stringify(state));
  await sql`insert into audit_entries
      (id, at, operator_id, actor, action, subject_type, subject_id, before, after, why, request_id)
    values (${newId()}, ${actor.now}, ${operatorId}, ${name}, ${action}, ${subject.type}, ${subject.id},
      ${json(before)}::jsonb, ${json(after)}::jsonb, ${why?.trim() || null}, ${requestId})`.execute(trx);
}

/** Carries the result of an act that changed nothing out of the transaction, which is rolled back. */
class Undone<Result> extends Error {
  result: Result | undefined;
  with(result: Result): this {
    this.result = result;
    return this;
  }
}
