import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Brand } from "../brands/brand.ts";
import { suspendMember } from "../members/suspension.server.ts";
import { changeOperator, disableOperator } from "../operators/operations.server.ts";
import { endOperatorSession, insertOperatorSession, findSessionOperator } from "../operators/sessions.server.ts";
import type { Role } from "../operators/permissions.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { findActing, findTicket, issueTicket, noteActedRequest, startActing } from "./acting.server.ts";
import { findAccessRequest, findAccessRequests, findOpenAccess } from "./queries.server.ts";
import { answerAccess, askForAccess, endAccessRequest } from "./request-access.server.ts";

const { db } = await testDatabase();
const NOW = new Date("2026-11-20T12:00:00Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (ms: number) => new Date(NOW.getTime() + ms);

let brand: Brand;
let other: Brand;
beforeAll(async () => {
  brand = await insertBrand(db, { isDefault: true });
  other = await insertBrand(db);
});

async function newOperator(role: Role = "support", now = NOW) {
  const id = newId();
  const email = `${id}@club.example`;
  await db.insertInto("operators").values({ id, email, name: "Ada", role, created_at: now, updated_at: now }).execute();
  const token = await insertOperatorSession(db, { operatorId: id, step: "open", address: null, userAgent: null, now });
  const operator = await findSessionOperator(db, { token: token ?? "", now });
  if (!operator) throw new Error("The operator has no session");
  return { ...operator, token: token ?? "" };
}
type Operator = Awaited<ReturnType<typeof newOperator>>;

/** A member whom an operator has asked. */
async function asked() {
  const operator = await newOperator();
  const { id: memberId } = await insertMember(db, { brandId: brand.id });
  const result = await askForAccess(db, { memberId, operator, reason: "your claims look wrong", now: NOW });
  if (result.outcome !== "asked") throw new Error(result.outcome);
  const { publicId } = result;
  const own = { publicId, brandId: brand.id, memberId };
  return { operator, memberId, publicId, own };
}

const ticketFor = ({ operator, publicId }: { operator: Operator; publicId: string }, now = NOW) =>
  issueTicket(db, { publicId, operator: { id: operator.id, sessionId: operator.sessionId }, now });

/** The same, with a session that runs since `NOW`. */
async function running() {
  const scene = await asked();
  await answerAccess(db, { ...scene.own, answer: "yes", now: NOW });
  const ticket = (await ticketFor(scene)) ?? "";
  const token = (await startActing(db, { brandId: brand.id, ticket, now: NOW })) ?? "";
  const acts = async (now = NOW, brandId = brand.id) => (await findActing(db, { brandId, token, now })) !== null;
  expect(await acts(), "the control: it runs").toBe(true);
  return { ...scene, ticket, token, acts };
}
const standing = async (memberId: string, now = NOW) =>
  (await findAccessRequests(db, { memberId, now })).map((one) => one.standing);

describe("A3 asking a member", () => {
  test("A3 the member is mailed the reason and where to answer, and sees the question", async () => {
    const { memberId, publicId } = await asked();
    const mail = await db.selectFrom("mails").selectAll().where("member_id", "=", memberId).executeTakeFirstOrThrow();
    expect(mail).toMatchObject({ kind: "account-access", state: "waiting" });
    expect(mail.data).toMatchObject({ publicId, operator: "Ada", reason: "your claims look wrong" });
    const open = await findOpenAccess(db, { memberId, now: NOW });
    expect(open).toMatchObject({ publicId, standing: "asked", lapsesAt: at(DAY) });
  });

  test("A3 nobody asks while a question is open, not another operator either; after a day it is over", async () => {
    const { memberId, own } = await asked();
    const again = { memberId, operator: await newOperator(), reason: "me too, please" };
    expect(await askForAccess(db, { ...again, now: at(DAY - 1) })).toEqual({ outcome: "open", by: "Ada" });
    expect(await answerAccess(db, { ...own, answer: "yes", now: at(DAY) }), "too late for a yes").toBe(false);
    expect(await findOpenAccess(db, { memberId, now: at(DAY) })).toBeNull();
    expect((await askForAccess(db, { ...again, now: at(DAY) })).outcome).toBe("asked");
    expect(await standing(memberId, at(DAY))).toEqual(["asked", "withdrawn"]);
  });

  test("A3 a member is asked three times in 24 hours at most", async () => {
    const { memberId, own, operator } = await asked();
    await answerAccess(db, { ...own, answer: "no", now: NOW });
    for (const outcome of ["asked", "asked", "too-often"]) {
      const result = await askForAccess(db, { memberId, operator, reason: "once more, please", now: at(MINUTE) });
      expect(result.outcome).toBe(outcome);
      if (result.outcome === "asked")
        await answerAccess(db, { ...own, publicId: result.publicId, answer: "no", now: at(MINUTE) });
    }
    const later = await askForAccess(db, { memberId, operator, reason: "the next day", now: at(DAY + MINUTE) });
    expect(later.outcome).toBe("asked");
  });

  test("A3 a member who is suspended or unknown is not asked", async () => {
    const operator = await newOperator();
    const { id: memberId } = await insertMember(db, { brandId: brand.id });
    await suspendMember(db, { brandId: brand.id, memberId, now: NOW });
    for (const id of [memberId, newId()])
      expect(await askForAccess(db, { memberId: id, operator, reason: "to look at it", now: NOW })).toEqual({
        outcome: "not-possible",
      });
  });

  test("A3 two operators who ask in the same moment: one question", async () => {
    const { id: memberId } = await insertMember(db, { brandId: brand.id });
    const results = await Promise.all(
      [1, 2].map(async () =>
        askForAccess(db, { memberId, operator: await newOperator(), reason: "to look at it", now: NOW }),
      ),
    );
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(["asked", "open"]);
  });
});

describe("A3 the member's answer", () => {
  test("A3 a no is final, and the operator hears of each answer without the member's name", async () => {
    const scene = await asked();
    expect(await answerAccess(db, { ...scene.own, answer: "no", now: NOW })).toBe(true);
    expect(await answerAccess(db, { ...scene.own, answer: "yes", now: NOW })).toBe(false);
    expect(await ticketFor(scene)).toBeNull();
    const mail = await db
      .selectFrom("mails")
      .selectAll()
      .where("recipient", "=", scene.operator.email)
      .executeTakeFirstOrThrow();
    expect(mail).toMatchObject({ kind: "account-access-answer", member_id: null, brand_id: brand.id });
    expect(mail.data).toEqual({ memberId: scene.memberId, answer: "no", lapsesAt: at(DAY).toISOString() });
  });

  test("A3 B4 nobody answers or ends somebody else's, and no other brand's", async () => {
    const { own, publicId, operator } = await asked();
    const { id: stranger } = await insertMember(db, { brandId: brand.id });
    for (const whose of [
      { brandId: brand.id, memberId: stranger },
      { brandId: other.id, memberId: own.memberId },
    ]) {
      expect(await answerAccess(db, { publicId, ...whose, answer: "yes", now: NOW })).toBe(false);
      expect(await endAccessRequest(db, { publicId, whose, by: "member", now: NOW })).toBe(false);
    }
    expect(await findAccessRequest(db, { publicId, memberId: stranger, now: NOW })).toBeNull();
    const colleague = { operatorId: (await newOperator("owner")).id };
    expect(await endAccessRequest(db, { publicId, whose: colleague, by: "operator", now: NOW })).toBe(false);
    expect(
      await endAccessRequest(db, { publicId, whose: { operatorId: operator.id }, by: "operator", now: NOW }),
      "the control",
    ).toBe(true);
  });
});

describe("A3 starting", () => {
  test("A3 there is no link before the yes, and none for another operator", async () => {
    const scene = await asked();
    expect(await ticketFor(scene)).toBeNull();
    await answerAccess(db, { ...scene.own, answer: "yes", now: NOW });
    expect(await ticketFor({ ...scene, operator: await newOperator("owner") })).toBeNull();
    expect(await ticketFor(scene)).not.toBeNull();
  });

  test("A3 a link works once, for five minutes, at the member's brand, and another replaces it", async () => {
    const scene = await asked();
    await answerAccess(db, { ...scene.own, answer: "yes", now: NOW });
    const first = (await ticketFor(scene)) ?? "";
    const ticket = (await ticketFor(scene)) ?? "";
    const start = (one: string, now: Date, brandId = brand.id) => startActing(db, { brandId, ticket: one, now });
    for (const [one, now, brandId] of [
      [first, NOW, brand.id],
      [ticket, at(5 * MINUTE), brand.id],
      [ticket, NOW, other.id],
      ["", NOW, brand.id],
    ] as const) {
      expect(await findTicket(db, { brandId, ticket: one, now })).toBeNull();
      expect(await start(one, now, brandId)).toBeNull();
    }
    expect(await findTicket(db, { brandId: brand.id, ticket, now: at(5 * MINUTE - 1) })).not.toBeNull();
    expect(await start(ticket, at(5 * MINUTE - 1))).not.toBeNull();
    expect(await start(ticket, at(5 * MINUTE - 1)), "once").toBeNull();
    expect(await ticketFor(scene), "one session for one yes").toBeNull();
  });

  test("A3 a yes that nobody used is worth nothing after the day, with a link or without", async () => {
    const operator = await newOperator("support", at(DAY - MINUTE));
    const { id: memberId } = await insertMember(db, { brandId: brand.id });
    const result = await askForAccess(db, { memberId, operator, reason: "to look at it", now: NOW });
    const publicId = result.outcome === "asked" ? result.publicId : "";
    await answerAccess(db, { publicId, brandId: brand.id, memberId, answer: "yes", now: NOW });
    const ticket = (await ticketFor({ operator, publicId }, at(DAY - 1))) ?? "";
    expect(await findTicket(db, { brandId: brand.id, ticket, now: at(DAY - 1) })).not.toBeNull();
    expect(await findTicket(db, { brandId: brand.id, ticket, now: at(DAY) })).toBeNull();
    expect(await startActing(db, { brandId: brand.id, ticket, now: at(DAY) })).toBeNull();
    expect(await ticketFor({ operator, publicId }, at(DAY))).toBeNull();
  });
});

describe("A3 what ends a session", () => {
  test("A3 half an hour", async () => {
    const { acts, operator } = await running();
    // The operator goes on in the admin, so that only the time of this session counts.
    await db
      .updateTable("operator_sessions")
      .set({ used_at: at(29 * MINUTE) })
      .where("id", "=", operator.sessionId)
      .execute();
    expect(await acts(at(30 * MINUTE - 1))).toBe(true);
    expect(await acts(at(30 * MINUTE))).toBe(false);
  });

  test("A3 the start counts as use of the admin, so that nobody is cut off in between", async () => {
    const { acts, operator } = await running();
    await db
      .updateTable("operator_sessions")
      .set({ used_at: at(-5 * MINUTE) })
      .where("id", "=", operator.sessionId)
      .execute();
    expect(await acts(at(25 * MINUTE - 1))).toBe(true);
    expect(await acts(at(25 * MINUTE)), "idle for half an hour").toBe(false);
  });

  test("A3 the member, at once, and nothing is counted afterwards", async () => {
    const { acts, own, publicId, memberId } = await running();
    const noted = { publicId, what: "see", request: "GET /money" } as const;
    expect(await noteActedRequest(db, { ...noted, now: NOW })).toBe(true);
    expect(await endAccessRequest(db, { publicId, whose: own, by: "member", now: at(MINUTE) })).toBe(true);
    expect(await acts(at(MINUTE))).toBe(false);
    expect(await noteActedRequest(db, { ...noted, now: at(MINUTE) })).toBe(false);
    const [view] = await findAccessRequests(db, { memberId, now: at(MINUTE) });
    expect(view).toMatchObject({ standing: "over", endedBy: "member", endsAt: at(MINUTE), pagesSeen: 1 });
  });

  const endings: Record<string, (scene: Awaited<ReturnType<typeof running>>) => Promise<unknown>> = {
    "the operator's own session": ({ operator }) => endOperatorSession(db, { sessionId: operator.sessionId }),
    "the end of the operator's role": ({ operator }) =>
      db.updateTable("operators").set({ role: "catalogue" }).where("id", "=", operator.id).execute(),
    "a disabled operator": ({ operator }) =>
      db.updateTable("operators").set({ disabled_at: NOW }).where("id", "=", operator.id).execute(),
    "a suspension": ({ memberId }) => suspendMember(db, { brandId: brand.id, memberId, now: NOW }),
    "a closed account": ({ memberId }) => db.deleteFrom("members").where("id", "=", memberId).execute(),
  };
  test.each(Object.keys(endings))("A3 %s", async (what) => {
    const scene = await running();
    await endings[what]?.(scene);
    expect(await scene.acts()).toBe(false);
  });

  const scenes = {
    asked,
    allowed: async () => {
      const scene = await asked();
      await answerAccess(db, { ...scene.own, answer: "yes", now: NOW });
      return scene;
    },
    running,
  };
  const leavings: Record<string, (id: string) => Promise<unknown>> = {
    disabled: (id) => disableOperator(db, { id, now: at(MINUTE) }),
    "given a role that may not act": (id) =>
      changeOperator(db, { id, name: "Ada", role: "finance", version: 1, now: at(MINUTE) }),
  };
  test.each(Object.keys(scenes).flatMap((state) => Object.keys(leavings).map((what) => [state, what] as const)))(
    "A3 a request that is %s ends when its operator is %s, and a colleague can ask",
    async (state, what) => {
      const { operator, memberId } = await scenes[state as keyof typeof scenes]();
      const other = await asked();
      const colleague = { memberId, operator: await newOperator(), reason: "in place of Ada" };
      expect((await askForAccess(db, { ...colleague, now: at(MINUTE) })).outcome, "the control").toBe("open");
      await leavings[what]?.(operator.id);
      expect(await findOpenAccess(db, { memberId, now: at(MINUTE) })).toBeNull();
      expect((await askForAccess(db, { ...colleague, now: at(MINUTE) })).outcome).toBe("asked");
      expect(await standing(other.memberId, at(MINUTE)), "somebody else's request").toEqual(["asked"]);
    },
  );

  test("A3 a request stays open when its operator gets another role that may act", async () => {
    const { operator, memberId } = await asked();
    await changeOperator(db, { id: operator.id, name: "Ada", role: "owner", version: 1, now: at(MINUTE) });
    expect(await standing(memberId, at(MINUTE))).toEqual(["asked"]);
  });

  test("A3 a session that is over does not come back with a restored member", async () => {
    const { acts, memberId } = await running();
    await suspendMember(db, { brandId: brand.id, memberId, now: NOW });
    await db.updateTable("members").set({ suspended_at: null }).where("id", "=", memberId).execute();
    expect(await acts()).toBe(false);
    expect(await standing(memberId)).toEqual(["over"]);
  });

  test("A3 B4 it is nothing at another brand, and the database has no token that opens it", async () => {
    const { acts, token, ticket } = await running();
    expect(await acts(NOW, other.id)).toBe(false);
    const rows = JSON.stringify(await db.selectFrom("account_access_requests").selectAll().execute());
    for (const secret of [token, ticket]) expect(rows).not.toContain(secret);
  });

  test("A3 somebody may ask again once the operator has signed out of a session that still had time", async () => {
    const { memberId, operator } = await running();
    const again = { memberId, operator: await newOperator(), reason: "to go on with it", now: at(MINUTE) };
    expect((await askForAccess(db, again)).outcome).toBe("open");
    await endOperatorSession(db, { sessionId: operator.sessionId });
    expect((await askForAccess(db, again)).outcome).toBe("asked");
  });
});
