import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { newId } from "@farthing/db/uuid.ts";
import { siteRoutes } from "@farthing/site/testing/site.testing.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { filledIn, form } from "../attacks/odd-inputs.testing.ts";
import { newAddress, realServer, SERVER_SECRET } from "../attacks/real-server.testing.ts";
import { openSession } from "../attacks/sessions.testing.ts";
import { readConfig } from "../env.ts";
import { startJob } from "../jobs/start-job.ts";
import { openMailer } from "../mails/mailer.ts";
import { takeInAnswer } from "../networks/report-answer.ts";
import { insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { describeError } from "./describe-error.ts";
import { openLoggerTo, takeOverConsole } from "./logger.ts";

/** What a person or an operator has typed, sent or configured; none of it may be in the log or the metrics. */
const PERSONAL = {
  name: "Quillfeather",
  "e-mail address": "quill.feather@planted.example",
  "postal address": "17 Plantedrow",
  "date of birth": "1957-03-29",
  password: "Planted-Password-77",
  token: "plantedtoken0123456789abcdef",
  "gift-card code": "PLANT-4711-CODE-0815",
  "sort code": "20-41-57",
  "account number": "43210987",
};
const SECRETS = {
  FARTHING_SECRET: SERVER_SECRET,
  METRICS_TOKEN: "planted-metrics-token-0123456789",
  STRIPE_SECRET_KEY: "sk_test_plantedsecretkey0123456789",
  STRIPE_WEBHOOK_SECRET: "whsec_plantedwebhooksecret0123456789",
  STRIPE_PUBLISHABLE_KEY: "pk_test_plantedpublishablekey0123456789",
  SMTP_URL: "smtp://planted-user:planted-smtp-password@127.0.0.1:9",
  TELEMETRY_BATCH_KEYS: "planted-telemetry-key-0123456789abcdef",
  FARTHING_OLD_SECRETS: "an old secret that was planted here, long enough for it",
};
const NEVER = { ...PERSONAL, ...SECRETS, "SMTP password": "planted-smtp-password" };

/** Everything at once, as one value of a field. */
const planted = Object.values(PERSONAL).join(" ");
const FIELDS = [
  "name",
  "email",
  "password",
  "password_confirmation",
  "token",
  "code",
  "q",
  "next",
  "intent",
  "member_id",
  "address",
  "account",
];
const fields = {
  ...Object.fromEntries(FIELDS.map((field) => [field, planted])),
  email: PERSONAL["e-mail address"],
  next: `/offers?${PERSONAL.token}`,
};

const lines: string[] = [];
const server = await realServer({ onLogLine: (line) => void lines.push(line), settings: SECRETS });
const { db } = server;
const { logger } = openLoggerTo({ write: (line) => void lines.push(line) }, "trace");
const one = await insertBrand(db, { slug: "one", isDefault: true });
const host = "one.test";
let memberId = "";
// What libraries print while pages are rendered is in the log, too.
afterAll(takeOverConsole(logger));
beforeAll(async () => {
  await seedMemberTypes(db);
  memberId = await insertMemberWithPassword(db, one, "ada@one.test");
});

/** Fails with the line that holds something planted, plainly or encoded. */
function expectNothingIn(texts: readonly string[]): void {
  for (const [what, value] of Object.entries(NEVER)) {
    const forms = [
      value,
      encodeURIComponent(value),
      Buffer.from(value).toString("base64").replace(/=+$/, ""),
      JSON.stringify(value).slice(1, -1),
    ];
    const found = texts.find((text) => forms.some((one) => text.includes(one)));
    expect(found?.slice(0, 2_000), `a line with the ${what}`).toBeUndefined();
  }
}

afterEach(() => {
  expectNothingIn(lines.splice(0));
});

const headers = () => ({
  authorization: `Bearer ${PERSONAL.token}`,
  "x-api-key": PERSONAL.token,
  "user-agent": planted,
  referer: `https://planted.example/${PERSONAL.token}?email=${PERSONAL["e-mail address"]}`,
  "x-forwarded-proto": "https",
  "accept-language": planted,
  "if-none-match": `"${PERSONAL.token}"`,
  "x-request-id": PERSONAL["e-mail address"],
});
const stolen = () =>
  `farthing_session=${PERSONAL.token}; farthing_draft=${PERSONAL.token}; farthing_invitation=${PERSONAL["gift-card code"]}; other=${encodeURIComponent(planted)}`;

describe("P6 S1 no personal data and no secret in the log", () => {
  test(
    "P6 S1 not from addresses, query strings, headers, cookies and bodies of any route",
    { timeout: 240_000 },
    async () => {
      const query = new URLSearchParams(fields).toString();
      const body = query;
      const pages = siteRoutes().map(({ path, hasAction }) => ({ path, takesPost: hasAction }));
      const own = server
        .started()
        .app.routes.filter(({ path }) => !/^\/?\*$/.test(path))
        .map(({ method, path }) => ({ path, takesPost: method !== "GET" }));
      const { cookie } = await openSession(server, { brand: one, memberId });
      for (const { path, takesPost } of [...pages, ...own]) {
        const address = filledIn(path, encodeURIComponent(PERSONAL.token));
        const from = newAddress();
        await server.get(`${address}?${query}`, { host, from, cookie: stolen(), headers: headers() });
        if (!takesPost) continue;
        const asked = {
          host,
          from,
          headers: { ...headers(), origin: server.origin(host), "x-forwarded-proto": undefined },
        };
        await server.raw("POST", address, {
          ...asked,
          cookie,
          body,
          headers: { ...asked.headers, "content-type": form },
        });
        if (/^\/(api|webhooks|telemetry)/i.test(path))
          for (const json of [JSON.stringify(fields), `{"email": "${planted}", broken`])
            await server.raw("POST", address, {
              ...asked,
              body: json,
              headers: { ...asked.headers, "content-type": "application/json" },
            });
      }
      expect(lines.length, "requests were logged").toBeGreaterThan(pages.length);
    },
  );

  test("P6 S1 not from a statement that the database refuses with the row in its answer", async () => {
    await sql`alter table password_reset_requests add constraint planted check (email not like '%planted%') not valid`.execute(
      db,
    );
    await sql`alter table registration_drafts add constraint planted check (email not like '%planted%') not valid`.execute(
      db,
    );
    const refused = await server.post("/forgotten-password", { host, form: { email: PERSONAL["e-mail address"] } });
    expect(refused.status).toBe(500);
    const errors = lines.filter((line) => line.startsWith('{"level":"error"'));
    expect(errors).toHaveLength(1);
    const [line = ""] = errors;
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      err: { type: "DatabaseError", code: "23514", table: "password_reset_requests", constraint: "planted" },
    });
    expect(line, "and where it happened").toMatch(/\\n +at /);
  });

  test.each([
    ["uuid", (value: string) => sql`select ${value}::uuid`],
    ["integer", (value: string) => sql`select ${value}::integer`],
    ["date", (value: string) => sql`select ${value}::date`],
    ["JSON", (value: string) => sql`select ${value}::jsonb`],
    ["interval", (value: string) => sql`select ${value}::interval`],
    ["array", (value: string) => sql`select ${value}::text[]`],
    ["network address", (value: string) => sql`select ${value}::inet`],
    ["pattern", (value: string) => sql`select 'a' ~ ${`(${value}`}`],
    ["function of ours", (value: string) => sql`select format('%s', ${value})::uuid`],
  ])("P6 S1 not from SQL that can't read a value as %s", async (_what, statement) => {
    for (const value of Object.values(PERSONAL)) {
      const error = await statement(value)
        .execute(db)
        .then(
          () => null,
          (thrown: unknown) => thrown,
        );
      if (error !== null) logger.error({ err: error, job: "a job" }, "a job failed and will run again");
    }
    expect(lines.length).toBeGreaterThan(0);
  });

  test("P6 S1 not from a job whose rows the database refuses, or whose error has the data of others as its causes", async () => {
    const rounds = [
      () => sql`insert into registration_tries (key, tries, resets_at) values (${planted}, -1, now())`.execute(db),
      () => JSON.parse(`{"email": "${PERSONAL["e-mail address"]}" "name": "${PERSONAL.name}"}`) as never,
      async () => new URL(`no address ${PERSONAL["e-mail address"]}`),
      async () => {
        const answer = Object.assign(new Error(`550 5.1.1 <${PERSONAL["e-mail address"]}>: no such mailbox`), {
          rejected: [PERSONAL["e-mail address"]],
          response: planted,
          command: `RCPT TO:<${PERSONAL["e-mail address"]}>`,
        });
        throw new AggregateError([answer, new Error("another", { cause: answer })], "two steps failed", {
          cause: answer,
        });
      },
      async () => {
        throw new TypeError("fetch failed", {
          cause: new Error(
            `GET https://planted-user:planted-smtp-password@planted.example/x?token=${PERSONAL.token}#${PERSONAL.token} timed out`,
          ),
        });
      },
      async () => {
        throw new Error(`The key ${SECRETS.STRIPE_SECRET_KEY} is wrong, or ${SECRETS.STRIPE_WEBHOOK_SECRET}`);
      },
    ];
    for (const round of rounds) {
      const failed = Promise.withResolvers<void>();
      const watched = {
        ...logger,
        info: logger.info.bind(logger),
        warn: logger.warn.bind(logger),
        error: (line: object, text: string) => {
          logger.error(line, text);
          failed.resolve();
        },
      };
      const job = startJob({ name: "planted", logger: watched, idleMs: 60_000, round: async () => (await round(), 0) });
      await failed.promise;
      await job.close();
    }
    expect(lines.filter((line) => line.includes("a job failed"))).toHaveLength(rounds.length);
  });

  test("P6 S1 not from mails that fail, and not from a network's report with rows that can't be stored or read", async () => {
    await queueMail(db, {
      brandId: one.id,
      memberId,
      to: PERSONAL["e-mail address"],
      mail: { kind: "already-registered" },
      now: new Date(),
    });
    const sender = {
      atOnce: 3,
      send: () =>
        Promise.reject(
          Object.assign(new Error(`550 <${PERSONAL["e-mail address"]}> ${planted}`), { code: "EENVELOPE" }),
        ),
      close() {},
    };
    await openMailer({ db, sender, originOf: (of) => `http://${of}`, logger }).sendDue();
    expect(lines.filter((line) => line.includes("a mail could not be sent"))).toHaveLength(1);
    await takeInAnswer(db, {
      networkId: newId(),
      answer: { transactions: [], unreadable: [`row 4711 of ${PERSONAL["e-mail address"]}: expected a number`] },
      now: new Date(),
      logger,
    });
    expect(lines.filter((line) => line.includes("could not be read"))).toHaveLength(1);
  });

  test("P6 S1 not from objects that are logged whole", () => {
    for (const key of ["password", "token", "secret", "cookie", "authorization", "bearer", "apiKey"]) {
      logger.info({ [key]: PERSONAL.token, request: { [key]: PERSONAL.token } }, "a line");
      logger.warn({ headers: { cookie: stolen(), authorization: PERSONAL.token } }, "another");
    }
    expect(lines).toHaveLength(14);
  });

  test("P3 P6 S1 not from settings that are wrong", () => {
    const wrong = {
      ...SECRETS,
      SMTP_URL: "planted-smtp-password",
      STRIPE_SECRET_KEY: PERSONAL.token,
      METRICS_TOKEN: "short 43210987",
      FARTHING_ENV: "production",
      DATABASE_URL: `mysql://planted-user:planted-smtp-password@db/x`,
    };
    let said = "";
    try {
      readConfig(wrong);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toMatch(/SMTP_URL[^]*|STRIPE_SECRET_KEY/);
    expectNothingIn([said]);
  });

  test("P6 S1 not from the metrics", async () => {
    await server.get(`/offers?q=${encodeURIComponent(planted)}`, { host, headers: headers() });
    await server.get(`/${encodeURIComponent(PERSONAL.token)}`, { host, headers: headers() });
    const metrics = await server.get("/metrics", {
      host,
      headers: { authorization: `Bearer ${SECRETS.METRICS_TOKEN}` },
    });
    expect(metrics.status).toBe(200);
    expect(metrics.text).toContain("farthing_http_request_seconds_count");
    expectNothingIn([metrics.text]);
  });
});

describe("P6 what the log says of an error", () => {
  test("P6 its type, words, place, codes and causes stay", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), {
      code: "ECONNREFUSED",
      syscall: "connect",
    });
    const described = describeError(new TypeError("The network awin answered 503", { cause }));
    expect(described).toMatchObject({
      type: "TypeError",
      message: "The network awin answered 503",
      stack: expect.stringMatching(/^TypeError: The network awin answered 503\n +at /) as string,
      cause: { message: "connect ECONNREFUSED 127.0.0.1:5432", code: "ECONNREFUSED", syscall: "connect" },
    });
  });

  test.each(["a text", undefined, null, 7, { name: "Error" }])(
    "P6 whatever was thrown (%j) can be described",
    (thrown) => {
      expect(describeError(thrown)).toMatchObject({ stack: "" });
    },
  );

  test("P6 causes that go round in a circle end", () => {
    const error = new Error("round");
    error.cause = error;
    expect(JSON.stringify(describeError(error)).length).toBeLessThan(20_000);
  });
});
