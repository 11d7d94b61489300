import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { MailRefusedError, type OutgoingMail } from "@farthing/core/mails/mail-sender.ts";
import { claimDueMails } from "@farthing/core/mails/outbox.server.ts";
import { requestPasswordReset } from "@farthing/core/sign-in/reset-requests.server.ts";
import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { startMailJobs } from "./mail-jobs.ts";
import { openMailer } from "./mailer.ts";

const { db, pool } = await testDatabase();
const brand = await insertBrand(db, { slug: "post", isDefault: true });
const memberId = await insertMemberWithPassword(db, brand, "ada@post.test");

const start = new Date("2026-11-20T10:00:00Z");
const clock = { now: start };
const wait = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
const sent: OutgoingMail[] = [];
const logged: string[] = [];
let answer: (mail: OutgoingMail) => Promise<void> = async () => {};

const parts = {
  db,
  sender: {
    atOnce: 3,
    async send(mail: OutgoingMail) {
      await answer(mail);
      sent.push(mail);
    },
    close() {},
  },
  originOf: (host: string) => `https://${host}`,
  logger: {
    info: () => {},
    warn: (fields: object, message: string) => void logged.push(JSON.stringify(fields) + message),
    error: (fields: object, message: string) => void logged.push(JSON.stringify(fields) + message),
  },
  now: () => clock.now,
};
const mailer = openMailer(parts);

const token = "a-token-that-opens-an-account";
const queue = (to = "ada@post.test") =>
  queueMail(db, {
    brandId: brand.id,
    memberId,
    to,
    mail: { kind: "reset-password", path: `/reset-password?token=${token}` },
    now: clock.now,
  });
const rows = () => db.selectFrom("mails").selectAll().orderBy("created_at").execute();

beforeEach(async () => {
  await db.deleteFrom("mails").execute();
  sent.length = 0;
  logged.length = 0;
  clock.now = start;
  answer = async () => {};
});

describe("M9 the outbox", () => {
  test("M9 a mail is sent once, in the brand's name, with links to the brand's host, as HTML and as text", async () => {
    await queue();
    expect(await mailer.sendDue()).toBe(1);
    expect(await mailer.sendDue()).toBe(0);
    const [mail] = sent;
    expect(mail).toMatchObject({ to: "ada@post.test", fromName: "post", replyTo: "help@post.test" });
    for (const body of [mail?.html, mail?.text])
      expect(body).toContain(`https://post.test/reset-password?token=${token}`);
    expect(mail?.text).not.toMatch(/<\w/);
    expect(mail?.html).not.toMatch(/<script|<img|https?:\/\/(?!post\.test)/);
  });

  test("M9 a transaction that fails sends nothing", async () => {
    await db
      .transaction()
      .execute(async (trx) => {
        await queueMail(trx, {
          brandId: brand.id,
          memberId,
          to: "ada@post.test",
          mail: { kind: "no-account" },
          now: start,
        });
        throw new Error("the cause did not happen");
      })
      .catch(() => {});
    expect(await mailer.sendDue()).toBe(0);
  });

  test("R1 a mail of a process that was killed before it settled it is sent again, under the same Message-ID", async () => {
    await queue();
    await claimDueMails(db, { now: clock.now, leaseMs: 120_000, max: 10 });
    const [claimed] = await rows();
    expect(await mailer.sendDue(), "the lease has not ended").toBe(0);
    wait(3);
    expect(await mailer.sendDue()).toBe(1);
    expect(sent[0]?.messageId).toBe(`${claimed?.id}@post.test`);
  });

  test("R2 concurrent processes send each mail once", async () => {
    await Promise.all(Array.from({ length: 10 }, () => queue()));
    const counts = await Promise.all([mailer.sendDue(), openMailer(parts).sendDue(), openMailer(parts).sendDue()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(10);
  });

  test("R2 with a mail server that takes 18 seconds for a mail, and a second process, each mail is sent once", async () => {
    const total = 20;
    for (let mail = 0; mail < total; mail += 1) await queue();
    const second = openMailer(parts);
    let waiting: (() => void)[] = [];
    let left = total;
    answer = async () => {
      const slot = Promise.withResolvers<void>();
      waiting.push(slot.resolve);
      // Three connections, each with a mail for as long; the second process looks for work meanwhile.
      while (left > 0 && waiting.length >= Math.min(3, left)) {
        const sending = waiting.slice(0, 3);
        waiting = waiting.slice(3);
        left -= sending.length;
        clock.now = new Date(clock.now.getTime() + 18_000);
        if (left === 0) {
          answer = async () => {};
          await second.sendDue();
        }
        for (const done of sending) done();
      }
      await slot.promise;
    };
    while ((await mailer.sendDue()) > 0);
    expect(clock.now.getTime() - start.getTime(), "longer than a lease").toBeGreaterThan(120_000);
    expect(sent).toHaveLength(total);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(total);
  });

  test("M9 a mail that can't be sent is tried again at growing intervals and then given up, with a line in the log", async () => {
    answer = async () => {
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNECTION" });
    };
    await queue();
    const gaps: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      if ((await mailer.sendDue()) === 0) break;
      const [row] = await rows();
      if (row?.state !== "waiting" || !row.next_try_at) break;
      gaps.push((row.next_try_at.getTime() - clock.now.getTime()) / 60_000);
      clock.now = row.next_try_at;
    }
    expect(gaps).toEqual([1, 5, 15, 60, 240, 720, 1440, 1440]);
    expect((await rows())[0]).toMatchObject({ state: "given-up", attempts: 9, next_try_at: null });
    expect(logged.at(-1)).toContain("a mail was given up");
  });

  test("M9 a mail that is refused permanently is given up at once", async () => {
    answer = async () => {
      throw new MailRefusedError("550 no such user");
    };
    await queue();
    await mailer.sendDue();
    expect((await rows())[0]).toMatchObject({
      state: "given-up",
      attempts: 1,
      last_error: expect.stringContaining("550"),
    });
  });

  test("M9 a mail that can't be rendered does not delay the others", async () => {
    const poison = { brand_id: brand.id, recipient: "x@post.test", created_at: start, next_try_at: start };
    await db
      .insertInto("mails")
      .values({ ...poison, id: newId(), kind: "of-a-newer-version" })
      .execute();
    await db
      .insertInto("mails")
      .values({ ...poison, id: newId(), kind: "reset-password", data: "[]" })
      .execute();
    await queue();
    answer = async (mail) => {
      if (mail.to === "slow@post.test") throw new Error("not this one");
    };
    await queue("slow@post.test");
    expect(await mailer.sendDue()).toBe(4);
    expect(sent.map(({ to }) => to)).toEqual(["ada@post.test"]);
    expect((await rows()).map(({ state }) => state).sort()).toEqual(["sent", "waiting", "waiting", "waiting"]);
  });

  test("S1 the data of a sent or given-up mail is wiped, and the log contains neither it nor the recipient", async () => {
    await queue();
    await mailer.sendDue();
    answer = async () => {
      throw new MailRefusedError("550");
    };
    await queue();
    await mailer.sendDue();
    expect(JSON.stringify(await rows())).not.toContain(token);
    expect(logged.join("\n")).not.toMatch(new RegExp(`${token}|ada@`));
  });

  test("M9 the running job is notified of a new mail", async () => {
    const arrived = Promise.withResolvers<void>();
    answer = async () => arrived.resolve();
    const jobs = startMailJobs({ ...parts, pool, mailCountSecret: "a secret of tests", now: () => new Date() });
    await queueMail(db, {
      brandId: brand.id,
      memberId,
      to: "ada@post.test",
      mail: { kind: "no-account" },
      now: new Date(),
    });
    await arrived.promise;
    await jobs.close();
  });
});

describe("R1 requests for a new password", () => {
  test("R1 S1 the running job logs a request that can't be answered, without its address, and answers the others", async () => {
    await sql`
      create function refuse_poison() returns trigger language plpgsql as $$
      begin
        raise exception 'This mail cannot be queued.';
      end $$`.execute(db);
    await sql`create trigger poison before insert on mails for each row when (new.recipient = 'poison@post.test')
      execute function refuse_poison()`.execute(db);
    const [logged, answered] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    answer = async () => answered.resolve();
    for (const email of ["poison@post.test", "nobody@post.test"])
      await requestPasswordReset(db, { brandId: brand.id, email, now: start });
    const warn = (fields: object, message: string) => logged.resolve(JSON.stringify(fields) + message);
    const jobs = startMailJobs({ ...parts, pool, mailCountSecret: "a secret", logger: { ...parts.logger, warn } });
    const line = await logged.promise;
    expect(line).toContain("could not be answered and will be tried again");
    expect(line).not.toContain("poison@");
    await answered.promise;
    await jobs.close();
    expect(sent.map(({ to }) => to)).toEqual(["nobody@post.test"]);
    await sql`drop trigger poison on mails`.execute(db);
  });
});

describe("S1 header and markup injection", () => {
  test.each([
    "ada@post.test\r\nBcc: all@evil.test",
    "ada@post.test, eve@evil.test",
    "Ada <ada@post.test>",
    '"x" ada@post.test',
    "ada@post.test\u0000",
    "nobody",
    "",
  ])("S1 %j is refused as a recipient", async (to) => {
    await expect(queue(to)).rejects.toThrow(/invalid|too_small/);
  });

  test("S1 a name with markup or line breaks stays text", async () => {
    await db.updateTable("brands").set({ name: "A<script>\r\nBcc: x@evil.test" }).where("id", "=", brand.id).execute();
    wait(60);
    await queue();
    await openMailer(parts).sendDue();
    expect(sent[0]?.html).not.toContain("<script>");
    expect(sent[0]?.subject).not.toMatch(/[\r\n]/);
    await db.updateTable("brands").set({ name: "post" }).where("id", "=", brand.id).execute();
  });
});
