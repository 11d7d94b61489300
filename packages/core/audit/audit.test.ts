import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { countReads } from "@farthing/db/testing/count-reads.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { findListPage } from "../lists/find-list-page.server.ts";
import { changeOperator, disableOperator, type OperatorChange } from "../operators/operations.server.ts";
import type { Role } from "../operators/permissions.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { actionInWords } from "./actions.ts";
import { act, actOutside, NotPermittedError, type Actor } from "./act.server.ts";
import { findBrokenEntries } from "./check-chain.server.ts";
import { joinTransaction } from "./join-transaction.server.ts";
import { findState } from "./find-state.server.ts";
import { auditList, findHistory, findPastState, type AuditEntry } from "./queries.server.ts";
import { subjects, type SubjectType } from "./subjects.ts";

const { db } = await testDatabase();
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

async function newOperator(role: Role): Promise<{ id: string; email: string }> {
  const id = newId();
  const email = `${id}@club.example`;
  await db.insertInto("operators").values({ id, email, name: "Ada", role, created_at: NOW, updated_at: NOW }).execute();
  return { id, email };
}
const as = (operator: { id: string; email: string }, now = NOW): Actor => ({ operator, requestId: "r1", now });

let memberId: string;
let brandId: string;
beforeAll(async () => {
  ({ id: brandId } = await insertBrand(db));
  ({ id: memberId } = await insertMember(db, { brandId }));
});

const suspend = (why = "fraud") =>
  ({ permission: "members.change", action: "member.suspend", subject: { type: "member", id: memberId }, why }) as const;
const setSuspended = (at: Date | null) => (joined: typeof db) =>
  joined
    .transaction()
    .execute((trx) => trx.updateTable("members").set({ suspended_at: at }).where("id", "=", memberId).execute())
    .then(() => true);
const count = async () => (await db.selectFrom("audit_entries").select("id").execute()).length;
const suspendedAt = async () =>
  (await db.selectFrom("members").select("suspended_at").where("id", "=", memberId).executeTakeFirstOrThrow())
    .suspended_at;

describe("A1 acts", () => {
  test("A1 a change and its entry commit together, with the record before and after", async () => {
    const support = await newOperator("support");
    const before = await count();
    expect(await act(db, as(support), suspend(), setSuspended(NOW))).toBe(true);
    expect(await suspendedAt()).toEqual(NOW);
    expect(await count()).toBe(before + 1);
    const [entry] = await findHistory(db, { type: "member", id: memberId });
    expect(entry).toMatchObject({ actor: support.email, action: "member.suspend", why: "fraud", requestId: "r1" });
    expect(entry?.before?.["suspended_at"]).toBeNull();
    expect(new Date(String(entry?.after?.["suspended_at"]))).toEqual(NOW);
  });

  test("A1 the log keeps nothing that names a member", async () => {
    const [entry] = await findHistory(db, { type: "member", id: memberId });
    const { name, email } = await db
      .selectFrom("members")
      .select(["name", "email"])
      .where("id", "=", memberId)
      .executeTakeFirstOrThrow();
    const text = JSON.stringify(entry);
    expect(text).not.toContain(name);
    expect(text).not.toContain(email);
  });

  test.each(["catalogue", "finance"] as const)(
    "A1 %s may not suspend: nothing changes, nothing is written",
    async (role) => {
      const [operator, before, at] = [await newOperator(role), await count(), await suspendedAt()];
      await expect(act(db, as(operator), suspend(), setSuspended(null))).rejects.toThrow(NotPermittedError);
      expect([await count(), await suspendedAt()]).toEqual([before, at]);
    },
  );

  test("A1 a role or an account that an owner has just taken away counts at once", async () => {
    const operator = await newOperator("support");
    await db.updateTable("operators").set({ role: "finance" }).where("id", "=", operator.id).execute();
    await expect(act(db, as(operator), suspend(), setSuspended(null))).rejects.toThrow(NotPermittedError);
    await db.updateTable("operators").set({ role: "owner", disabled_at: NOW }).where("id", "=", operator.id).execute();
    await expect(act(db, as(operator), suspend(), setSuspended(null))).rejects.toThrow(NotPermittedError);
  });

  test.each([
    ["is shut out", (owner: typeof db, id: string) => disableOperator(owner, { id, now: NOW })],
    [
      "loses the permission",
      (owner: typeof db, id: string) =>
        changeOperator(owner, { id, name: "Ada", role: "finance", version: 1, now: NOW }).then(
          ({ outcome }) => outcome,
        ),
    ],
  ])("A1 an operator who %s while an act begins can't do it; an act that runs is finished first", async (_, end) => {
    const [late, early, at] = [await newOperator("support"), await newOperator("support"), await suspendedAt()];
    const owner = await db.startTransaction().execute();
    await end(joinTransaction(owner), late.id);
    const acting = act(db, as(late), suspend(), setSuspended(later(2))).catch((error: unknown) => error);
    await Promise.race([acting, untilWaiting(db)]);
    await owner.commit().execute();
    expect(await acting).toBeInstanceOf(NotPermittedError);
    expect(await suspendedAt()).toEqual(at);
    let ending: Promise<string> = Promise.resolve("");
    const running = await act(db, as(early), suspend(), async (joined) => {
      ending = end(db, early.id);
      const first = await Promise.race([ending, untilWaiting(db).then(() => "waits for the act")]);
      await setSuspended(at)(joined);
      return first;
    });
    expect([running, await ending]).toEqual(["waits for the act", expect.stringMatching(/^(disabled|changed)$/)]);
  });

  test.each(Object.keys(subjects) as SubjectType[])(
    "A1 an address that can be the name of no record of the kind %s leads to none",
    async (type) => {
      for (const id of ["", "nobody", "9".repeat(30), "1e3", "' or true --"])
        expect(await findState(db, { type, id }), id).toBeNull();
    },
  );

  test("A1 an act that fails, or says that it changed nothing, is undone with its entry", async () => {
    const [operator, before, at] = [await newOperator("support"), await count(), await suspendedAt()];
    const failing = async (joined: typeof db) => {
      await setSuspended(later(1))(joined);
      throw new Error("later trouble");
    };
    await expect(act(db, as(operator), suspend(), failing)).rejects.toThrow("later trouble");
    const refusing = async (joined: typeof db) => {
      await setSuspended(later(1))(joined);
      return false;
    };
    expect(await act(db, as(operator), suspend(), refusing)).toBe(false);
    expect([await count(), await suspendedAt()]).toEqual([before, at]);
  });

  test("A1 an act that asks outside is in the log before and after, also where it is refused", async () => {
    const operator = await newOperator("support");
    const actions = async () => (await findHistory(db, { type: "member", id: memberId })).map(({ action }) => action);
    await expect(
      actOutside(db, as(operator), suspend(), async () => {
        throw new Error("no answer");
      }),
    ).rejects.toThrow("no answer");
    expect((await actions())[0]).toBe("member.suspend.begin");
    await actOutside(db, as(operator), suspend(), async () => false);
    expect((await actions()).slice(0, 2)).toEqual(["member.suspend.refused", "member.suspend.begin"]);
  });

  test("A1 the log is filtered by an action, with what was begun and what was refused, and no other", async () => {
    const operator = as(await newOperator("owner"));
    const subject = { type: "gift-card-line", id: newId() } as const;
    const refund = { permission: "gift-cards.change", action: "gift-card.refund", subject } as const;
    await actOutside(db, operator, refund, async () => true);
    await actOutside(db, operator, refund, async () => false);
    await act(db, operator, { ...refund, action: "gift-card.refunded" }, async () => true);
    const { rows } = await findListPage<AuditEntry, "seq">(
      db,
      auditList({ action: "gift-card.refund", subject: subject.id }),
      { sort: "seq", isDescending: false, after: null, before: null, size: 50 },
    );
    expect(rows.map(({ action }) => actionInWords(action))).toEqual([
      "Gift card refunded: begun",
      "Gift card refunded",
      "Gift card refunded: begun",
      "Gift card refunded: not done",
    ]);
    expect(actionInWords("member.praise")).toBe("member.praise");
  });

  test("A1 a transaction inside an act that fails is undone alone where the operation catches it", async () => {
    await db.transaction().execute(async (trx) => {
      const joined = joinTransaction(trx);
      const id = newId();
      const row = { id, name: "Kept", email: `${id}@club.example`, role: "owner", created_at: NOW, updated_at: NOW };
      await joined.insertInto("operators").values(row).execute();
      const inner = joined.transaction().execute((nested) => nested.insertInto("operators").values(row).execute());
      await expect(inner).rejects.toThrow(/duplicate key/);
      const found = await trx.selectFrom("operators").select("name").where("id", "=", id).execute();
      expect(found).toEqual([{ name: "Kept" }]);
    });
  });
});

describe("A1 the log is written once", () => {
  test.each([
    ["update", sql`update audit_entries set why = 'nicer'`],
    ["delete", sql`delete from audit_entries`],
    ["truncate", sql`truncate audit_entries`],
    ["truncate with others", sql`truncate audit_entries, operators cascade`],
  ])("A1 the database refuses to %s entries, also for the role that owns the table", async (_, statement) => {
    const before = await count();
    expect(before).toBeGreaterThan(0);
    await expect(statement.execute(db)).rejects.toThrow(/is refused|permission denied/);
    expect(await count()).toBe(before);
  });

  test("A1 the owner of the table has no right to change entries, beside the triggers", async () => {
    const { rows } = await sql<{ acl: string[] }>`
      select relacl::text[] as acl from pg_class where relname = 'audit_entries'`.execute(db);
    for (const right of rows[0]?.acl ?? []) expect(right.split("=")[1]?.split("/")[0]).not.toMatch(/[wdD]/);
    expect(rows[0]?.acl.length).toBeGreaterThan(0);
  });

  test("A1 an entry that was changed past the guards, or removed, is found", async () => {
    expect(await findBrokenEntries(db)).toEqual([]);
    const rolledBack = new Error("only to look");
    const tampered = (statement: ReturnType<typeof sql>) =>
      db.transaction().execute(async (trx) => {
        await sql`alter table audit_entries disable trigger user`.execute(trx);
        await sql`set local role none`.execute(trx);
        await sql`grant update, delete on audit_entries to current_user`.execute(trx);
        await statement.execute(trx);
        const found = await findBrokenEntries(trx);
        throw Object.assign(rolledBack, { found });
      });
    await expect(tampered(sql`update audit_entries set why = 'nicer' where seq = 2`)).rejects.toMatchObject({
      found: [2],
    });
    await expect(tampered(sql`delete from audit_entries where seq = 2`)).rejects.toMatchObject({ found: [3] });
  });

  test("A1 entries of concurrent acts form one chain", async () => {
    const operator = await newOperator("support");
    const before = await count();
    await Promise.all(Array.from({ length: 8 }, () => actOutside(db, as(operator), suspend(), async () => true)));
    expect(await count()).toBe(before + 16);
    expect(await findBrokenEntries(db)).toEqual([]);
  });
});

describe("A1 changes of operators at the same time", () => {
  test("A1 two owners who change each other, or one twice, take turns: the later one is told what is stored now", async () => {
    const [one, two] = [await newOperator("owner"), await newOperator("owner")];
    const change = (by: typeof one, of: typeof one, version: number) =>
      act(
        db,
        as(by),
        {
          permission: "operators.change",
          action: "operator.change",
          subject: { type: "operator", id: of.id },
          changed: ({ outcome }: OperatorChange) => outcome === "changed",
        },
        (joined) => changeOperator(joined, { id: of.id, name: `Ada ${version}`, role: "owner", version, now: NOW }),
      );
    for (let version = 1; version <= 10; version += 2) {
      const crossed = await Promise.all([change(one, two, version), change(two, one, version)]);
      expect(crossed).toEqual([{ outcome: "changed" }, { outcome: "changed" }]);
      const twice = await Promise.all([change(one, two, version + 1), change(one, two, version + 1)]);
      expect(twice.map(({ outcome }) => outcome).toSorted()).toEqual(["changed", "stale"]);
      await change(two, one, version + 1);
    }
  });
});

describe("A1 a record's past", () => {
  test("A1 the log rebuilds what a record was on any day", async () => {
    const [owner, other] = [await newOperator("owner"), await newOperator("support")];
    const change = (role: Role, version: number, at: Date) =>
      act(
        db,
        as(owner, at),
        {
          permission: "operators.change",
          action: "operator.change",
          subject: { type: "operator", id: other.id },
          changed: ({ outcome }: OperatorChange) => outcome === "changed",
        },
        (joined) => changeOperator(joined, { id: other.id, name: "Ada", role, version, now: at }),
      );
    await change("finance", 1, later(1));
    await change("catalogue", 2, later(3));
    const past = async (at: Date) => {
      const found = await findPastState(db, { type: "operator", id: other.id, at });
      return found.known ? found.state?.["role"] : "unknown";
    };
    expect(await past(later(0))).toBe("support");
    expect(await past(later(1))).toBe("finance");
    expect(await past(later(2.9))).toBe("finance");
    expect(await past(later(3))).toBe("catalogue");
    expect(await findPastState(db, { type: "operator", id: newId(), at: NOW })).toEqual({ known: false });
  });
});

test("A1 A3 the log is narrowed by three letters of an operator's address anywhere, and by fewer that it begins with, without reading it all", async () => {
  const { id } = await newOperator("support");
  const operator = { id, email: "zq.rare@club.example" };
  await act(db, as(operator), suspend(), () => Promise.resolve(true));
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`insert into audit_entries (id, seq, at, actor, action, subject_type, subject_id, previous_hash, hash)
      select gen_random_uuid(), 1000000 + n, ${NOW}, 'often@club.example', 'member.suspend', 'member', n::text, sha256(int8send(n)), sha256(int8send(n + 1))
      from generate_series(1, 5000) n`.execute(trx);
  });
  await sql`vacuum analyze audit_entries`.execute(db);
  const state = { sort: "seq", isDescending: true, after: null, before: null, size: 50 } as const;
  const find = (joined: typeof db, actor: string) =>
    findListPage<AuditEntry, "seq">(joined, auditList({ actor }), state);
  const actors = async (typed: string) => [...new Set((await find(db, typed)).rows.map(({ actor }) => actor))];
  for (const typed of ["zq", "ZQ.", "z", "rare", "zq.rare@club.example"]) {
    expect(await actors(typed), typed).toEqual([operator.email]);
    expect((await countReads(db, (trx) => find(trx, typed))).rows, typed).toBeLessThan(40);
  }
  expect(await actors("ra")).toEqual([]);
  expect(await actors("often")).toEqual(["often@club.example"]);
});

test("A1 the log finds who ran a command whose account has capital letters", async () => {
  await act(db, { command: "CLUB\\Marguerite", now: NOW }, suspend(), () => Promise.resolve(true));
  const state = { sort: "seq", isDescending: true, after: null, before: null, size: 50 } as const;
  for (const typed of ["Marguerite", "marguerite", "club\\mar"]) {
    const { rows } = await findListPage<AuditEntry, "seq">(db, auditList({ actor: typed }), state);
    expect(
      rows.map(({ actor }) => actor),
      typed,
    ).toEqual(["command: CLUB\\Marguerite"]);
  }
});
