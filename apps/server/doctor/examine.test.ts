import { readFileSync } from "node:fs";
import path from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { readConfig } from "../env.ts";
import { checks, type Check } from "./checks.ts";
import { describeFindings, findingsAsJson, hasFault } from "./describe-findings.ts";
import { examine } from "./examine.ts";
import { type DoctorParts, ok } from "./finding.ts";

const { db, url } = await testDatabase();
const SECRET = "Jw82kcVqP0zMx71b";
const PERSON = "ada.lovelace@home.example";
const parts: DoctorParts = {
  variables: { METRICS_TOKEN: SECRET },
  config: readConfig({}),
  database: { db, url, embeddedFolder: null },
  now: () => new Date("2026-11-20T12:00:00Z"),
};
const check = (name: string, look: Check["look"], needs: Check["needs"] = "nothing"): Check => ({ name, needs, look });

describe("P6 checks of npm run doctor", () => {
  test("P6 a check that fails is a finding, and the others go on; nothing that the failure says is shown", async () => {
    const broken = check("broken", () => {
      throw Object.assign(new Error(`Key (email)=(${PERSON}) at ${SECRET}`), { code: "ECONNRESET", detail: PERSON });
    });
    const odd = check("odd", () => Promise.reject(Object.assign(new Error(PERSON), { code: PERSON })));
    const found = await examine(parts, { among: [broken, odd, check("whole", () => [ok("Whole.")])] });
    expect(found.map(({ check: name, level }) => [name, level])).toEqual([
      ["broken", "wrong"],
      ["odd", "wrong"],
      ["whole", "ok"],
    ]);
    const shown = describeFindings(found).join("\n") + findingsAsJson(found);
    expect(shown).toContain("(ECONNRESET)");
    for (const hidden of [PERSON, SECRET, "Error:", "    at "]) expect(shown).not.toContain(hidden);
  });

  test("P6 a check that hangs is a finding once its time is over, and the others are answered", async () => {
    const asked: number[] = [];
    const wait = (ms: number) => {
      asked.push(ms);
      return { late: Promise.resolve("late" as const), stop: () => undefined };
    };
    const hangs = check("hangs", () => new Promise<never>(() => undefined));
    const found = await examine(parts, { among: [hangs], wait });
    expect(found).toMatchObject([{ check: "hangs", level: "wrong", says: "This took longer than 5 seconds." }]);
    expect(asked).toEqual([5_000]);
    expect(await examine(parts, { among: [check("whole", () => [ok("Whole.")])] })).toMatchObject([{ level: "ok" }]);
  });

  test("S1 a secret of the settings that a check writes is hidden", async () => {
    const tells = check("tells", () => [{ level: "look", says: `It is ${SECRET}.`, remedy: `Replace ${SECRET}.` }]);
    expect(await examine(parts, { among: [tells] })).toEqual([
      { check: "tells", level: "look", says: "It is ….", remedy: "Replace …." },
    ]);
  });

  test("S1 passwords in the database's addresses and the collector's tokens are hidden too", async () => {
    const said = "Qm7vWx2Lk9, Zt4pRc8Yb1, abc123def and 9f3c0d7e";
    const variables = {
      DATABASE_DIRECT_URL: "postgres://farthing:Qm7vWx2Lk9@10.0.0.3:5432/farthing",
      DATABASE_READ_URL: "postgres://farthing:Zt4pRc8Yb1@10.0.0.4:5432/farthing",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc123def, x-honeycomb-team=9f3c0d7e",
    };
    const tells = check("tells", () => [ok(said)]);
    expect(await examine({ ...parts, variables }, { among: [tells] })).toMatchObject([{ says: "…, …, … and …" }]);
    // The club's name in a header is no secret, and other sentences need it.
    const named = { OTEL_EXPORTER_OTLP_HEADERS: "x-honeycomb-dataset=farthing,x-honeycomb-team=9f3c0d7e" };
    const path = check("tells", () => [ok("/var/lib/farthing, 9f3c0d7e")]);
    expect(await examine({ ...parts, variables: named }, { among: [path] })).toMatchObject([
      { says: "/var/lib/farthing, …" },
    ]);
    // A space that is not encoded keeps the server from starting, and the doctor is asked why.
    const wrong = {
      ...variables,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer abc123def,x-honeycomb-team=9f3c0d7e",
    };
    expect(await examine({ ...parts, variables: wrong }, { among: [tells] })).toMatchObject([
      { says: "…, …, … and …" },
    ]);
  });

  test("P6 what needs the settings or the database is not looked at without them", async () => {
    const needs = (["nothing", "settings", "database"] as const).map((need) =>
      check(need, () => [ok("Looked.")], need),
    );
    const looked = async (given: Partial<DoctorParts>) =>
      (await examine({ ...parts, ...given }, { among: needs })).map(({ says }) => says === "Looked.");
    expect(await looked({})).toEqual([true, true, true]);
    expect(await looked({ database: null })).toEqual([true, true, false]);
    expect(await looked({ config: null, database: null })).toEqual([true, false, false]);
  });

  test("P6 every check looks at a real installation and finds something, without a failure of its own", async () => {
    const found = await examine(parts, { among: checks.filter(({ name }) => name !== "mail") });
    expect(new Set(found.map(({ check: name }) => name))).toEqual(
      new Set(checks.map(({ name }) => name).filter((name) => name !== "mail")),
    );
    expect(found.filter(({ says }) => /could not be looked at|longer than/.test(says))).toEqual([]);
    for (const { level, remedy, says } of found) expect(remedy === null, says).toBe(level === "ok");
  });

  test("P6 the table has a line for each finding and what to do below it; faults alone decide", () => {
    const finding = { check: "disk", level: "look", says: "Little space.", remedy: "Free some." } as const;
    expect(describeFindings([finding, { ...finding, check: "mail", level: "ok", remedy: null }])).toEqual([
      "look   disk  Little space.",
      "             Free some.",
      "ok     mail  Little space.",
      "",
      "0 faults, 1 to look at, 1 in order",
    ]);
    expect([hasFault([finding]), hasFault([finding, { ...finding, level: "wrong" }])]).toEqual([false, true]);
    expect(JSON.parse(findingsAsJson([finding]))).toEqual({ ok: true, findings: [finding] });
  });

  test("P6 the documented list has every check, and no other", () => {
    const document = readFileSync(path.join(import.meta.dirname, "../../../docs/operations/doctor.md"), "utf8");
    const rows = [...document.matchAll(/^\| `([a-z ]+)` +\|/gm)].map(([, name]) => name);
    expect(rows).toEqual(checks.map(({ name }) => name));
  });
});
