import { describe, expect, test } from "vitest";
import { DEVELOPMENT_SECRET } from "../environment-schema.ts";
import { lookAtSecrets, lookAtSettings, secretNames } from "./look-at-settings.ts";

const production = {
  FARTHING_ENV: "production",
  NODE_ENV: "production",
  FARTHING_SECRET: "0c5e1d7a93b84f26e0f97a61c3d82b54",
  TRUST_PROXY: "loopback",
  AWIN_PUBLISHER_ID: "123456",
  AWIN_API_TOKEN: "3f70ad1c-99b2-4c1e",
  AWIN_PUSH_SECRET: "9hQ2vXw7LmZ4tRk8cYb1NsGe",
  SMTP_URL: "smtps://club:Vd82kQz1@mail.club.example",
  MAIL_FROM: "club@club.example",
};

describe("settings", () => {
  test("P3 settings on which the server starts are in order", () => {
    expect(lookAtSettings(production)).toEqual([{ level: "ok", says: expect.any(String) as string, remedy: null }]);
  });

  test("P3 each problem at which the server would not start is a fault of its own", () => {
    const { SMTP_URL: _, ...withoutMail } = production;
    const found = lookAtSettings({ ...withoutMail, PORT: "99999" });
    expect(found.map(({ level }) => level)).toEqual(["wrong", "wrong"]);
    expect(new Set(found.map(({ says }) => says.split(" ")[0]))).toEqual(new Set(["PORT", "SMTP_URL"]));
  });

  test("P3 a development machine is told what production also needs", () => {
    const [found, ...others] = lookAtSettings({ METRICS_TOKEN: "c19de55a40b8e7f24c3d" });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      level: "look",
      says: expect.stringMatching(/FARTHING_SECRET, TRUST_PROXY/) as string,
    });
  });
});

describe("secrets", () => {
  test("S1 long random secrets, each used once, are in order", () => {
    expect(lookAtSecrets(production)).toEqual([
      { level: "ok", says: expect.stringContaining("4") as string, remedy: null },
    ]);
  });

  const weak: [what: string, variables: Record<string, string>, names: RegExp][] = [
    ["the development secret", { FARTHING_SECRET: DEVELOPMENT_SECRET }, /^FARTHING_SECRET is the published one/],
    ["a short one", { FARTHING_SECRET: "k3Vw8Zq1" }, /^FARTHING_SECRET has 8 characters/],
    ["one that repeats itself", { FARTHING_SECRET: "abababababababababababababababab" }, /^FARTHING_SECRET repeats/],
    ["a guessable token for metrics", { METRICS_TOKEN: "metrics-password-1" }, /^METRICS_TOKEN contains a word/],
    ["a short secret of pushes", { AWIN_PUSH_SECRET: "v9Tq2Lm4" }, /^AWIN_PUSH_SECRET has 8 characters/],
    ["a placeholder from another company", { AWIN_API_TOKEN: "replace-me" }, /^AWIN_API_TOKEN contains a word/],
    [
      "a weak old secret",
      { FARTHING_OLD_SECRETS: "0d5e1d7a93b84f26e0f97a61c3d82b99,short" },
      /^FARTHING_OLD_SECRETS 2 has 5/,
    ],
    ["a weak key of batches", { TELEMETRY_BATCH_KEYS: "12345" }, /^TELEMETRY_BATCH_KEYS 1 has 5/],
    [
      "the example's password",
      { DATABASE_URL: "postgres://farthing:password@db.club.example/farthing" },
      /^The password in DATABASE_URL/,
    ],
    [
      "the example's password behind a pooler",
      { DATABASE_DIRECT_URL: "postgres://farthing:password@db.club.example/farthing" },
      /^The password in DATABASE_DIRECT_URL/,
    ],
    [
      "a placeholder for the collector's token",
      { OTEL_EXPORTER_OTLP_HEADERS: "x-scope-orgid=test,authorization=Bearer%20replace-me" },
      /^The header authorization in OTEL_EXPORTER_OTLP_HEADERS contains a word/,
    ],
  ];
  test.each(weak)("S1 %s is a fault that names the setting", (_what, variables, names) => {
    const found = lookAtSecrets({ ...production, ...variables });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ level: "wrong", says: expect.stringMatching(names) as string });
    for (const value of Object.values(variables).flatMap((text) => text.split(",")))
      expect(JSON.stringify(found)).not.toContain(value);
  });

  test("S1 one value for two things is a fault, also inside an address", () => {
    const value = "9hQ2vXw7LmZ4tRk8cYb1NsGe";
    const found = lookAtSecrets({
      ...production,
      METRICS_TOKEN: value,
      SMTP_URL: `smtps://club:${value}@mail.club.example`,
    });
    expect(found).toEqual([
      {
        level: "wrong",
        says: "METRICS_TOKEN and AWIN_PUSH_SECRET and the password in SMTP_URL have the same value.",
        remedy: expect.any(String) as string,
      },
    ]);
  });

  test("S1 the addresses of one database share its login; another secret does not", () => {
    const address = (host: string) => `postgres://farthing:Vd82kQz1Lm4c@${host}.club.example/farthing`;
    const addresses = {
      DATABASE_URL: address("pooler"),
      DATABASE_DIRECT_URL: address("primary"),
      DATABASE_READ_URL: address("standby"),
    };
    expect(lookAtSecrets({ ...production, ...addresses })).toMatchObject([
      { level: "ok", says: expect.stringContaining("All 5 secrets") as string },
    ]);
    const [found] = lookAtSecrets({ ...production, ...addresses, METRICS_TOKEN: "Vd82kQz1Lm4c" });
    expect(found?.level).toBe("wrong");
  });

  test("S1 the settings with a secret inside are those that the table of rotations has", () => {
    expect(secretNames()).toEqual(
      expect.arrayContaining(["DATABASE_DIRECT_URL", "DATABASE_READ_URL", "OTEL_EXPORTER_OTLP_HEADERS"]),
    );
  });

  test("S1 an old secret that is the current one is a fault", () => {
    const [found] = lookAtSecrets({ ...production, FARTHING_OLD_SECRETS: production.FARTHING_SECRET });
    expect(found?.says).toBe("FARTHING_SECRET and FARTHING_OLD_SECRETS 1 have the same value.");
  });

  test("S1 on a development machine, the published secret is advice", () => {
    expect(lookAtSecrets({}).map(({ level }) => level)).toEqual(["look"]);
    expect(lookAtSecrets({ ...production, FARTHING_SECRET: "" })[0]?.level).toBe("wrong");
  });

  test("S1 what every page shows is no secret", () => {
    expect(lookAtSecrets({ ...production, STRIPE_PUBLISHABLE_KEY: "pk_test_example" })[0]?.level).toBe("ok");
  });
});
