import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ConfigurationError, developmentSecret, environmentSchema, readConfig } from "./env.ts";

const production = {
  FARTHING_ENV: "production",
  NODE_ENV: "production",
  FARTHING_SECRET: "0123456789abcdef0123456789abcdef",
  AWIN_PUBLISHER_ID: "123456",
  AWIN_API_TOKEN: "token-of-the-network",
  AWIN_PUSH_SECRET: "a-push-secret-of-enough-length",
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
  it("P3 development needs nothing", () => {
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

  it("P3 one message lists every problem: its name, what is wrong, what to set", () => {
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

  it.each(["staging", "production"])(
    "P3 %s refuses a missing, known or short secret, and says so beside the other problems",
    (environment) => {
      expect(problemsOf({ ...production, FARTHING_ENV: environment })).toEqual([]);
      expect(problemsOf({ ...production, FARTHING_ENV: environment, FARTHING_SECRET: undefined, PORT: "0" })).toEqual([
        expect.stringMatching(/^PORT is not a whole number/),
        expect.stringMatching(/^FARTHING_SECRET is not set/),
      ]);
      expect(problemsOf({ ...production, FARTHING_ENV: environment, FARTHING_SECRET: developmentSecret })).toEqual([
        expect.stringContaining("everyone knows"),
      ]);
      expect(problemsOf({ ...production, FARTHING_ENV: environment, FARTHING_SECRET: "short" })).toEqual([
        expect.stringContaining("fewer than 32"),
      ]);
    },
  );

  it("P3 production asks for the network's credentials and a push secret that can't be guessed", () => {
    expect(
      problemsOf({ ...production, AWIN_PUBLISHER_ID: "", AWIN_API_TOKEN: "", AWIN_PUSH_SECRET: "guess-me" }),
    ).toHaveLength(3);
  });

  it("M9 production asks for a mail server and a sender, and says what is wrong with theirs", () => {
    expect(problemsOf({ ...production, SMTP_URL: "", MAIL_FROM: "" })).toHaveLength(2);
    for (const MAIL_FROM of ["Club <club@x.example>", "club@x.example, eve@evil.example", "nobody"])
      expect(problemsOf({ ...production, MAIL_FROM })).toEqual([
        expect.stringContaining("MAIL_FROM is not an e-mail address"),
      ]);
    const problems = problemsOf({ ...production, SMTP_URL: "https://club:hunter2@mail.example" });
    expect(problems).toEqual([expect.stringContaining("SMTP_URL is not a mail server's address")]);
    expect(problems.join()).not.toContain("hunter2");
  });

  it("S1 a problem never repeats the value of a secret", () => {
    const message = problemsOf({ ...production, FARTHING_SECRET: "hunter2", AWIN_PUSH_SECRET: "swordfish" }).join("\n");
    expect(message).not.toMatch(/hunter2|swordfish/);
  });

  it("P3 development never calls the real network, production does", () => {
    expect(readConfig({ PORT: "4000" }).awin).toMatchObject({
      apiUrl: "http://localhost:4001",
      clickUrl: "http://localhost:4001/awin/cread.php",
    });
    expect(readConfig(production).awin).toMatchObject({
      apiUrl: "https://api.awin.com",
      clickUrl: "https://www.awin1.com/cread.php",
      pollSeconds: 900,
      callsPerMinute: 20,
    });
  });

  it("P3 card payments are a choice outside development, and take both settings", () => {
    expect(readConfig({ PORT: "4000" }).stripe?.apiUrl).toBe("http://localhost:4001");
    expect(readConfig(production).stripe).toBeNull();
    const both = { STRIPE_SECRET_KEY: "sk_live_abc", STRIPE_WEBHOOK_SECRET: "whsec_abc" };
    expect(readConfig({ ...production, ...both }).stripe?.apiUrl).toBe("https://api.stripe.com");
    expect(problemsOf({ ...production, STRIPE_SECRET_KEY: "sk_live_abc" })).toEqual([
      expect.stringContaining("go together"),
    ]);
  });

  it("S1 a test key takes no money in production, and a live key none anywhere else", () => {
    const both = { STRIPE_SECRET_KEY: "sk_test_abc", STRIPE_WEBHOOK_SECRET: "whsec_abc" };
    expect(problemsOf({ ...production, ...both })).toEqual([expect.stringContaining("is a test key")]);
    expect(problemsOf({ ...both, STRIPE_SECRET_KEY: "sk_live_abc" })).toEqual([
      expect.stringContaining("is a live key"),
    ]);
  });

  it("P3 an empty variable counts as unset", () => {
    expect(readConfig({ PORT: "", DATABASE_URL: "" })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  it("P3 the documented table and the schema list the same names", () => {
    const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
    const documented = [...page.matchAll(/^\| `([A-Z_]+)` *\|/gm)].map((match) => match[1]);
    expect(documented).toEqual(Object.keys(environmentSchema.shape));
  });
});
