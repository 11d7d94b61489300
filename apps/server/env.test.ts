import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import { describe, expect, test } from "vitest";
import { ConfigurationError, readConfig } from "./env.ts";
import { DEVELOPMENT_SECRET, environmentSchema } from "./environment-schema.ts";

const production = {
  FARTHING_ENV: "production",
  NODE_ENV: "production",
  FARTHING_SECRET: "0c5e1d7a93b84f26e0f97a61c3d82b54",
  TRUST_PROXY: "loopback",
  AWIN_PUBLISHER_ID: "123456",
  AWIN_API_TOKEN: "token-of-the-network",
  AWIN_PUSH_SECRET: "9hQ2vXw7LmZ4tRk8cYb1NsGe",
  SMTP_URL: "smtps://club:password@mail.example",
  MAIL_FROM: "club@farthing.example",
};

function problemsOf(variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe("P3 configuration", () => {
  test("P3 development needs no settings", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      environment: "dev",
      port: 3000,
      host: "127.0.0.1",
      databaseUrl: null,
      publicScheme: "http",
      logLevel: "warn",
    });
    expect([...config.roles]).toEqual(["web", "collector", "worker"]);
  });

  test("P3 one message lists every problem: its name, what is wrong, what to set", () => {
    const variables = {
      PORT: "99999",
      LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://localhost/x",
      ROLES: "web,cook",
      TRUST_PROXY: "perhaps",
      FARTHING_ENV: "live",
    };
    const problems = problemsOf(variables);
    expect(problems).toHaveLength(6);
    for (const name of Object.keys(variables)) {
      const problem = problems.find((line) => line.startsWith(`${name} `));
      expect(problem, name).toMatch(/ (is|names) .+\. Set /);
    }
    expect(() => readConfig(variables)).toThrow(/6 settings need attention[\s\S]*docs\/configuration\.md/);
  });

  test("P3 an address behind a pooler needs the pooler's", () => {
    const direct = "postgres://farthing@db.club.example/farthing";
    expect(problemsOf({ DATABASE_DIRECT_URL: direct })).toEqual([expect.stringMatching(/^DATABASE_DIRECT_URL is set/)]);
    expect(
      readConfig({ DATABASE_URL: "postgres://farthing@pooler/farthing", DATABASE_DIRECT_URL: direct }),
    ).toMatchObject({
      databaseDirectUrl: direct,
    });
  });

  test.each(["staging", "production"])(
    "P3 %s refuses a missing, public or short secret, listed with the other problems",
    (environment) => {
      expect(problemsOf({ ...production, FARTHING_ENV: environment })).toEqual([]);
      expect(problemsOf({ ...production, FARTHING_ENV: environment, FARTHING_SECRET: undefined, PORT: "0" })).toEqual([
        expect.stringMatching(/^PORT is not a whole number/),
        expect.stringMatching(/^FARTHING_SECRET is not set/),
      ]);
      expect(problemsOf({ ...production, FARTHING_ENV: environment, FARTHING_SECRET: DEVELOPMENT_SECRET })).toEqual([
        expect.stringContaining("is public"),
      ]);
      expect(problemsOf({ ...production, FARTHING_ENV: environment, FARTHING_SECRET: "short" })).toEqual([
        expect.stringContaining("fewer than 32"),
      ]);
    },
  );

  const weakSecrets = [
    ["one character", "a".repeat(36)],
    ["two characters", "ab".repeat(20)],
    ["a short piece repeated many times", "kT9fQz".repeat(7)],
    ["a piece of sixteen characters, twice", "0123456789abcdef".repeat(2)],
    ["an alphabet", "abcdefghijklmnopqrstuvwxyz0123456789"],
    ["digits in order", "1234567890".repeat(4)],
    ["doubled letters", "aaaabbbbccccddddeeeeffffgggghhhh"],
    ["a zero padded number", "00000000000000000000000000000042"],
    ["a placeholder", "please-change-me-before-production-2026"],
    ["a row of keys", "qwertyuiopasdfghjklzxcvbnm1234567890"],
    ["the development secret", DEVELOPMENT_SECRET],
    ["the development secret with a suffix", `${DEVELOPMENT_SECRET}-really`],
  ] as const;

  test.each(weakSecrets)("S1 a secret that is %s is refused, with the command that makes a strong one", (_, secret) => {
    expect(problemsOf({ ...production, FARTHING_SECRET: secret })).toEqual([
      expect.stringMatching(/^FARTHING_SECRET (contains|repeats|is) .+ openssl rand -hex 32$/),
    ]);
  });

  test.each(weakSecrets)("S1 an old secret that is %s is refused too, at any place in the list", (_, secret) => {
    const good = "5f0b3a9c6e7d41288cb2f4e19d70a635";
    for (const list of [`${secret},${good}`, `${good}, ${secret}`])
      expect(problemsOf({ ...production, FARTHING_OLD_SECRETS: list })).toEqual([
        expect.stringMatching(/^FARTHING_OLD_SECRETS: secret [12] (contains|repeats|is) /),
      ]);
  });

  test("S1 two hundred random secrets in each usual notation are accepted", () => {
    for (let round = 0; round < 200; round += 1) {
      const seed = createHash("sha256").update(String(round)).digest(); // the same values in every run
      for (const secret of [
        seed.toString("hex"),
        seed.toString("hex").slice(0, 32),
        seed.toString("base64"),
        seed.subarray(0, 24).toString("base64url"),
        [...Buffer.concat([seed, seed])]
          .map((byte, index) => (byte ^ (index > 31 ? 0x5a : 0)) % 10)
          .join("")
          .slice(0, 40),
      ])
        expect(problemsOf({ ...production, FARTHING_SECRET: secret, FARTHING_OLD_SECRETS: secret }), secret).toEqual(
          [],
        );
    }
  });

  test("S1 the tokens of metrics and pushes are checked too", () => {
    expect(problemsOf({ ...production, AWIN_PUSH_SECRET: "a".repeat(24) })).toEqual([
      expect.stringMatching(/^AWIN_PUSH_SECRET repeats itself .+ openssl rand -hex 32$/),
    ]);
    for (const token of ["short", "a".repeat(16), "1234567890123456"])
      expect(problemsOf({ ...production, METRICS_TOKEN: token })).toEqual([
        expect.stringMatching(/^METRICS_TOKEN (has 5 characters|repeats itself).+ openssl rand -hex 32$/),
      ]);
    expect(problemsOf({ ...production, METRICS_TOKEN: "cb1f4e9d70a6358e" })).toEqual([]);
  });

  test("P6 traces are off without a collector; its headers and the share are read as OpenTelemetry has them", () => {
    expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: "1" }).tracing).toBeNull();
    const OTEL_EXPORTER_OTLP_ENDPOINT = "https://traces.example:4318";
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toEqual({
      ...{ endpoint: OTEL_EXPORTER_OTLP_ENDPOINT, headers: {}, ratio: 0.1 },
    });
    const headers = (OTEL_EXPORTER_OTLP_HEADERS: string) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS,
    });
    expect(readConfig(headers("authorization=Bearer%20a=b%2c, x-club=1")).tracing?.headers).toEqual({
      authorization: "Bearer a=b,",
      "x-club": "1",
    });
    for (const wrong of ["authorization", "a b=c", "a=", "=b", "a=%0d%0ab", "a=%ff", "a=b,"])
      expect(problemsOf(headers(wrong)), wrong).toEqual([
        expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS is not a list of headers\. Set /),
      ]);
    for (const wrong of ["1.1", "-0.1", "half", ".5", "1e-1"])
      expect(problemsOf({ OTEL_TRACES_SAMPLER_ARG: wrong }), wrong).toHaveLength(1);
  });

  test.each(["staging", "production"])("P3 %s starts only if the proxies are stated", (environment) => {
    const settings = { ...production, FARTHING_ENV: environment };
    for (const TRUST_PROXY of [undefined, ""])
      expect(problemsOf({ ...settings, TRUST_PROXY })).toEqual([
        expect.stringMatching(/^TRUST_PROXY is not set, .+ does not guess .+ Set .+ loopback .+ or none /),
      ]);
    const { trustProxy } = readConfig(settings);
    expect(trustProxy && [trustProxy.includes("127.0.0.1"), trustProxy.includes("10.0.0.1")]).toEqual([true, false]);
    expect(readConfig({ ...settings, TRUST_PROXY: "None", PUBLIC_SCHEME: "http" }).trustProxy).toBe(false);
  });

  test("S1 TRUST_PROXY can't name every address", () => {
    for (const TRUST_PROXY of ["1", "true", "0", "yes", "all", "0.0.0.0/0", "loopback,::/0", "10.0.0.0/99"])
      expect(problemsOf({ ...production, TRUST_PROXY })).toEqual([
        expect.stringMatching(/^TRUST_PROXY names .+ Set the networks of your proxies, for example loopback/),
      ]);
  });

  test("S1 https without a proxy that terminates TLS is refused in every environment", () => {
    for (const settings of [
      { ...production, TRUST_PROXY: "none" },
      { PUBLIC_SCHEME: "https" },
      { PUBLIC_SCHEME: "https", TRUST_PROXY: "none" },
    ])
      expect(problemsOf(settings)).toEqual([
        expect.stringMatching(/^PUBLIC_SCHEME is https, but there is no proxy.+ Set TRUST_PROXY/),
      ]);
    expect(readConfig({ PUBLIC_SCHEME: "https", TRUST_PROXY: "loopback" }).publicScheme).toBe("https");
  });

  test("S1 HSTS covers the hosts below a brand's unless HSTS_SUBDOMAINS says 0", () => {
    for (const [HSTS_SUBDOMAINS, covers] of [
      [undefined, true],
      ["", true],
      ["1", true],
      ["0", false],
      ["false", false],
    ] as const)
      expect(readConfig({ HSTS_SUBDOMAINS }).hstsSubdomains, HSTS_SUBDOMAINS).toBe(covers);
    expect(problemsOf({ HSTS_SUBDOMAINS: "no" })).toEqual([
      expect.stringMatching(/^HSTS_SUBDOMAINS is neither 1 nor 0/),
    ]);
  });

  test("S1 the server listens on the loopback address by default", () => {
    expect(readConfig({}).host).toBe("127.0.0.1");
    expect(readConfig(production).host).toBe("127.0.0.1");
    expect(readConfig({ ...production, TRUST_PROXY: "10.0.0.0/8", HOST: "10.0.0.5" }).host).toBe("10.0.0.5");
    expect(problemsOf({ ...production, TRUST_PROXY: "10.0.0.0/8" })).toEqual([
      expect.stringMatching(/^HOST is not set, so this server listens on 127\.0\.0\.1, .+ Set HOST to the address/),
    ]);
  });

  test("P3 production requires the network's credentials and a strong push secret", () => {
    expect(
      problemsOf({ ...production, AWIN_PUBLISHER_ID: "", AWIN_API_TOKEN: "", AWIN_PUSH_SECRET: "guess-me" }),
    ).toHaveLength(3);
  });

  test("M9 production requires a mail server and a sender, and names what is wrong with them", () => {
    expect(problemsOf({ ...production, SMTP_URL: "", MAIL_FROM: "" })).toHaveLength(2);
    for (const MAIL_FROM of ["Club <club@x.example>", "club@x.example, eve@evil.example", "nobody"])
      expect(problemsOf({ ...production, MAIL_FROM })).toEqual([
        expect.stringContaining("MAIL_FROM is not an e-mail address"),
      ]);
    const problems = problemsOf({ ...production, SMTP_URL: "https://club:hunter2@mail.example" });
    expect(problems).toEqual([expect.stringContaining("SMTP_URL is not a mail server's address")]);
    expect(problems.join()).not.toContain("hunter2");
  });

  test("S1 a problem never repeats the value of a secret", () => {
    const message = problemsOf({ ...production, FARTHING_SECRET: "hunter2", AWIN_PUSH_SECRET: "swordfish" }).join("\n");
    expect(message).not.toMatch(/hunter2|swordfish/);
  });

  test("P3 development never calls the real network, production does", () => {
    expect(readConfig({ PORT: "4000" }).networks["awin"]).toMatchObject({
      apiUrl: "http://localhost:4001",
      clickUrl: "http://localhost:4001/awin/cread.php",
    });
    expect(readConfig(production).networks["awin"]).toMatchObject({
      apiUrl: "https://api.awin.com",
      clickUrl: "https://www.awin1.com/cread.php",
      pollSeconds: 900,
      callsPerMinute: 20,
    });
  });

  test("P3 card payments are optional outside development, and need both settings", () => {
    expect(readConfig({ PORT: "4000" }).stripe?.apiUrl).toBe("http://localhost:4001");
    expect(readConfig(production).stripe).toBeNull();
    const both = { STRIPE_SECRET_KEY: "sk_live_abc", STRIPE_WEBHOOK_SECRET: "whsec_abc" };
    expect(readConfig({ ...production, ...both }).stripe?.apiUrl).toBe("https://api.stripe.com");
    expect(problemsOf({ ...production, STRIPE_SECRET_KEY: "sk_live_abc" })).toEqual([
      expect.stringContaining("go together"),
    ]);
  });

  test("S1 a test key is refused in production, and a live key everywhere else", () => {
    const both = { STRIPE_SECRET_KEY: "sk_test_abc", STRIPE_WEBHOOK_SECRET: "whsec_abc" };
    expect(problemsOf({ ...production, ...both })).toEqual([expect.stringContaining("is a test key")]);
    expect(problemsOf({ ...both, STRIPE_SECRET_KEY: "sk_live_abc" })).toEqual([
      expect.stringContaining("is a live key"),
    ]);
  });

  test("P3 keys of two sides of the card provider, and a collector that https pages can't send to, are refused outside development", () => {
    const live = { STRIPE_SECRET_KEY: "sk_live_abc", STRIPE_WEBHOOK_SECRET: "whsec_abc" };
    expect(problemsOf({ ...production, ...live, STRIPE_PUBLISHABLE_KEY: "pk_live_abc" })).toEqual([]);
    expect(problemsOf({ ...production, ...live, STRIPE_PUBLISHABLE_KEY: "pk_test_abc" })).toEqual([
      expect.stringMatching(/^STRIPE_PUBLISHABLE_KEY is a test key .+ Set .+ starts with pk_live_\.$/),
    ]);
    const test = { ...live, STRIPE_SECRET_KEY: "rk_test_abc", STRIPE_PUBLISHABLE_KEY: "pk_live_abc" };
    expect(problemsOf({ ...production, FARTHING_ENV: "staging", ...test })).toEqual([
      expect.stringMatching(/^STRIPE_PUBLISHABLE_KEY is a live key .+ Set .+ starts with pk_test_\.$/),
    ]);
    const collector = { TELEMETRY_URL: "http://events.club.example" };
    expect(problemsOf({ ...production, ...collector })).toEqual([
      expect.stringMatching(/^TELEMETRY_URL starts with http:.+ Set its https:/),
    ]);
    expect(problemsOf({ ...production, ...collector, PUBLIC_SCHEME: "http" })).toEqual([]);
    expect(problemsOf({ ...production, TELEMETRY_URL: "https://events.club.example" })).toEqual([]);
    expect(problemsOf(collector)).toEqual([]);
  });

  test("P3 an empty variable counts as unset", () => {
    expect(readConfig({ PORT: "", DATABASE_URL: "" })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  test("P3 the documented table and the schema list the same names", () => {
    const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
    const documented = [...page.matchAll(/^\| `([A-Z_]+)` *\|/gm)].map((match) => match[1]);
    expect(documented).toEqual(Object.keys(environmentSchema.shape));
  });

  test("P3 each network's settings are documented with its adapter's descriptions", () => {
    const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
    const rows = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    for (const { environment } of allNetworks)
      for (const [name, { description }] of Object.entries(environment.shape))
        expect(rows.find((cells) => cells[1] === `\`${name}\``)?.[3], name).toBe(description);
  });
});
