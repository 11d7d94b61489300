import { resolve } from "node:path";
import { recipientSchema } from "@farthing/core/mails/recipient.ts";
import { z } from "zod";
import type { TrustProxy } from "./http/request-origin.ts";
import { weaknessOf } from "./secrets/secret-strength.ts";
import { TrustedNetworks } from "./http/trusted-networks.ts";

/** The secret of every development machine. It is public, so staging and production refuse it. */
export const DEVELOPMENT_SECRET = "farthing-development-secret-do-not-use-elsewhere";
/** Minimum lengths, in characters. */
const minLengths = { FARTHING_SECRET: 32, AWIN_PUSH_SECRET: 24, METRICS_TOKEN: 16 } as const;
const MAKE_SECRET = "Set a long random value, for example from: openssl rand -hex 32";

export const roles = ["web", "collector", "worker"] as const;
export type Role = (typeof roles)[number];

/** The checked environment. All other code receives this or a part of it. */
export interface Config {
  environment: "dev" | "staging" | "production";
  nodeEnv: "development" | "production" | "test";
  port: number;
  host: string;
  dataDir: string;
  /** Null: the embedded PostgreSQL is started in the data folder. */
  databaseUrl: string | null;
  databasePoolSize: number;
  secret: string;
  roles: ReadonlySet<Role>;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /**
   * The networks of our proxies, whose X-Forwarded-* and X-Request-Id headers are trusted. False: there is no proxy.
   */
  trustProxy: TrustProxy;
  /** The scheme that visitors use, also if a proxy terminates TLS. Decides on secure cookies and HSTS. */
  publicScheme: "http" | "https";
  metricsToken: string | null;
  /** Time between /readyz answering 503 and connections being refused. */
  drainSeconds: number;
  /** Off: browsers that have our service worker remove it. */
  serviceWorker: boolean;
  /** Pages are served from source, with hot reload, instead of from the build. */
  devPages: boolean;
  awin: {
    publisherId: string;
    apiToken: string;
    apiUrl: string;
    clickUrl: string;
    pushSecret: string;
    pollSeconds: number;
    callsPerMinute: number;
  };
  mail: {
    smtpUrl: string;
    /** The sender: an address without a name. */
    from: string;
  };
  /** Earlier secrets, which members' secrets may still be encrypted with. */
  oldSecrets: readonly string[];
  /** Null: card payments are not configured. */
  stripe: { secretKey: string; webhookSecret: string; apiUrl: string } | null;
}

/** Lists every problem of the environment at once, so that one restart fixes them all (P3). */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "1 setting needs" : `${problems.length} settings need`;
    super(
      `Farthing cannot start: ${count} attention.\n${problems.map((problem) => `  - ${problem}`).join("\n")}\nEvery setting is described in docs/configuration.md.`,
    );
    this.name = "ConfigurationError";
    this.problems = problems;
  }
}

const wholeNumber = (from: number, to: number, hint: string) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `is not a whole number from ${from} to ${to}. ${hint}`,
    )
    .transform(Number);

const LOOPBACK_HOST = "127.0.0.1";

const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `is not one of ${values.join(", ")}. Set one of them.` });

const flag = z
  .enum(["0", "1", "false", "true"], { error: "is neither 1 nor 0. Set 1 for yes or 0 for no." })
  .transform((text) => text === "1" || text === "true");

/** A list of networks, or the word `none`. */
const proxyNetworks = z.string().transform((text, context): TrustProxy => {
  if (text.trim().toLowerCase() === "none") return false;
  try {
    return new TrustedNetworks(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue(`${error.message}. ${NAME_PROXIES}`);
    return z.NEVER;
  }
});
const NAME_PROXIES =
  "Set the networks of your proxies, for example loopback or 10.0.0.0/8,fd00::/8, or none if visitors reach this server directly.";

const webAddress = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    "is not a web address. Set one that starts with http:// or https://.",
  );

const smtpAddress = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "",
    "is not a mail server's address. Set smtp://user:password@host:587, or smtps://user:password@host:465.",
  );

const postgresAddress = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol),
    "is not a PostgreSQL address. Set postgres://user:password@host:5432/database, or remove it to use the embedded server.",
  );

const roleList = z
  .string()
  .refine(
    (text) => text.split(",").every((role) => (roles as readonly string[]).includes(role.trim())),
    `names an unknown role. Set a comma-separated list of ${roles.join(", ")}.`,
  )
  .transform((text) => new Set(text.split(",").map((role) => role.trim() as Role)));

const header = z
  .string()
  .regex(
    /^[\x21-\x7e]+$/,
    "holds spaces or characters that don't fit in a header. Set letters, digits and punctuation only.",
  );

/** One entry per environment variable; docs/configuration.md has one row for each (checked by env.test.ts). */
export const environmentSchema = z.object({
  FARTHING_ENV: oneOf("dev", "staging", "production").default("dev"),
  NODE_ENV: oneOf("development", "production", "test").default("development"),
  PORT: wholeNumber(1, 65_535, "Set a free port, for example 3000.").default(3000),
  HOST: z
    .string()
    .regex(/^[0-9A-Za-z.:-]+$/, "is not an address to listen on. Set for example 127.0.0.1 or 0.0.0.0.")
    .optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 500, "Set for example 16.").default(16),
  FARTHING_SECRET: z.string().default(DEVELOPMENT_SECRET),
  ROLES: roleList.default(new Set(roles)),
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent").optional(),
  TRUST_PROXY: proxyNetworks.optional(),
  PUBLIC_SCHEME: oneOf("http", "https").optional(),
  METRICS_TOKEN: header
    .superRefine((token, context) => {
      const weakness = weaknessOf(token, minLengths.METRICS_TOKEN);
      if (weakness !== null) context.addIssue(`${weakness}. ${MAKE_SECRET}`);
    })
    .optional(),
  DRAIN_SECONDS: wholeNumber(0, 8, "Set for example 3.").optional(),
  SERVICE_WORKER: flag.default(true),
  FARTHING_DEV_PAGES: flag.default(false),
  AWIN_PUBLISHER_ID: z
    .string()
    .regex(/^\d{1,12}$/, "is not a publisher id. Set the number Awin shows beside your account's name.")
    .optional(),
  AWIN_API_TOKEN: header.optional(),
  AWIN_API_URL: webAddress.optional(),
  AWIN_CLICK_URL: webAddress.optional(),
  AWIN_PUSH_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, "holds characters that don't fit in an address. Set letters, digits, - and _ only.")
    .optional(),
  AWIN_POLL_SECONDS: wholeNumber(1, 86_400, "Set for example 900.").optional(),
  AWIN_CALLS_PER_MINUTE: wholeNumber(1, 100_000, "Set what Awin allows you: 20 unless they agreed to more.").optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_[A-Za-z0-9_]+$/, "is not a secret key. Set the one from Stripe that starts with sk_.")
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9_+/=]+$/,
      "is not a signing secret. Set the one Stripe shows beside the webhook endpoint; it starts with whsec_.",
    )
    .optional(),
  STRIPE_API_URL: webAddress.optional(),
  SMTP_URL: smtpAddress.optional(),
  MAIL_FROM: z
    .string()
    .refine(
      (text) => recipientSchema.safeParse(text).success,
      "is not an e-mail address. Set one alone, for example club@your-domain.example.",
    )
    .optional(),
  FARTHING_OLD_SECRETS: z.string().transform(splitSecrets).optional(),
});

/** Settings that have a harmless default in development and none elsewhere. */
const requiredOutsideDevelopment = {
  AWIN_PUBLISHER_ID: "Set the number Awin shows beside your account's name.",
  AWIN_API_TOKEN: "Set the OAuth2 token from Awin, under Toolbox, API credentials.",
  AWIN_PUSH_SECRET:
    "Set a long random value and give Awin the address /webhooks/awin/<that value>; for example from: openssl rand -hex 24",
  SMTP_URL:
    "Set your mail server's address, smtp://user:password@host:587 or smtps://…: members confirm their e-mail addresses with it.",
  MAIL_FROM: "Set the address that e-mails come from, for example club@your-domain.example.",
} as const;

function problemsOutsideDevelopment(environment: string, variables: NodeJS.ProcessEnv): string[] {
  const problems: string[] = [];
  if (!variables["FARTHING_SECRET"])
    problems.push(
      `FARTHING_SECRET is not set, and ${environment} does not start on the development secret. ${MAKE_SECRET}`,
    );
  problems.push(...weakSecrets(variables), ...proxyProblems(environment, variables));
  for (const [name, hint] of Object.entries(requiredOutsideDevelopment)) {
    if (!variables[name]) problems.push(`${name} is not set, and ${environment} needs it. ${hint}`);
  }
  if (!variables["STRIPE_SECRET_KEY"] !== !variables["STRIPE_WEBHOOK_SECRET"])
    problems.push(
      "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: a payment is only paid once a signed webhook says so. Set both, or neither for no card payments.",
    );
  if (environment === "production" && /^[a-z]+_test_/.test(variables["STRIPE_SECRET_KEY"] ?? ""))
    problems.push("STRIPE_SECRET_KEY is a test key, with which nobody pays. Set the live one.");
  if (variables["NODE_ENV"] !== "production")
    problems.push(`NODE_ENV is not production: pages would render at half the speed. Set NODE_ENV=production.`);
  if (variables["FARTHING_DEV_PAGES"] === "1" || variables["FARTHING_DEV_PAGES"] === "true")
    problems.push("FARTHING_DEV_PAGES serves pages from source. Remove it, or set FARTHING_ENV=dev.");
  return problems;
}

/** Old secrets still decrypt and verify, so they must be as strong as the current one. */
function weakSecrets(variables: NodeJS.ProcessEnv): string[] {
  const { FARTHING_SECRET: secret, FARTHING_OLD_SECRETS: old, AWIN_PUSH_SECRET: pushSecret } = variables;
  const known = (value: string) => (value === DEVELOPMENT_SECRET ? "is the development secret, which is public" : null);
  const weak = (value: string) => known(value) ?? weaknessOf(value, minLengths.FARTHING_SECRET);
  const problems: string[] = [];
  const weakness = secret ? weak(secret) : null;
  if (weakness !== null) problems.push(`FARTHING_SECRET ${weakness}. ${MAKE_SECRET}`);
  for (const [index, value] of splitSecrets(old ?? "").entries()) {
    const fault = weak(value);
    if (fault !== null)
      problems.push(
        `FARTHING_OLD_SECRETS: secret ${index + 1} ${fault}, and still signs links to members' money. Remove it: what it encrypted has to be set up again.`,
      );
  }
  const pushWeakness = pushSecret ? weaknessOf(pushSecret, minLengths.AWIN_PUSH_SECRET) : null;
  if (pushWeakness !== null) problems.push(`AWIN_PUSH_SECRET ${pushWeakness}. ${MAKE_SECRET}`);
  return problems;
}

function splitSecrets(text: string): string[] {
  return text
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
}

/**
 * Outside development the proxies must be stated: a wrong guess counts all visitors as one, or lets each choose
 * its address.
 */
function proxyProblems(environment: string, variables: NodeJS.ProcessEnv): string[] {
  const stated = variables["TRUST_PROXY"];
  if (!stated)
    return [`TRUST_PROXY is not set, and ${environment} does not guess which proxies it is behind. ${NAME_PROXIES}`];
  const { data: networks } = proxyNetworks.safeParse(stated);
  if (!networks || variables["HOST"] || networks.includes(LOOPBACK_HOST)) return [];
  return [
    `HOST is not set, so this server listens on ${LOOPBACK_HOST}, which no network of TRUST_PROXY can reach. Set HOST to the address that your proxies connect to.`,
  ];
}

/**
 * Reads and checks the environment (P3). An empty variable counts as unset.
 * @throws ConfigurationError that lists every problem and what to set.
 */
export function readConfig(environmentVariables: NodeJS.ProcessEnv = process.env): Config {
  const variables = Object.fromEntries(
    Object.entries(environmentVariables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environmentSchema.safeParse(variables);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  const environment = variables["FARTHING_ENV"] ?? "dev";
  if (environment === "staging" || environment === "production")
    problems.push(...problemsOutsideDevelopment(environment, variables));
  const scheme =
    variables["PUBLIC_SCHEME"] ?? (environment === "staging" || environment === "production" ? "https" : "http");
  const { data: isProxied } = proxyNetworks.safeParse(variables["TRUST_PROXY"] ?? "none");
  const saysNothing = environment !== "dev" && variables["TRUST_PROXY"] === undefined; // that is reported already
  if (scheme === "https" && isProxied === false && !saysNothing)
    problems.push(
      "PUBLIC_SCHEME is https, but there is no proxy, and this server itself speaks plain http. Set TRUST_PROXY to the network of the proxy that terminates TLS, or PUBLIC_SCHEME=http.",
    );
  if (environment !== "production" && /^[a-z]+_live_/.test(variables["STRIPE_SECRET_KEY"] ?? ""))
    problems.push(
      "STRIPE_SECRET_KEY is a live key, which takes real money. Set a test key, or FARTHING_ENV=production.",
    );
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems);

  const value = parsed.data;
  const isDevelopment = value.FARTHING_ENV === "dev";
  return {
    environment: value.FARTHING_ENV,
    nodeEnv: value.NODE_ENV,
    port: value.PORT,
    // Development has accounts with a published password, and elsewhere a proxy terminates TLS: only this machine needs
    // to connect.
    host: value.HOST ?? LOOPBACK_HOST,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    secret: value.FARTHING_SECRET,
    roles: value.ROLES,
    logLevel: value.LOG_LEVEL ?? (isDevelopment ? "warn" : "info"),
    trustProxy: value.TRUST_PROXY ?? false,
    publicScheme: value.PUBLIC_SCHEME ?? (isDevelopment ? "http" : "https"),
    metricsToken: value.METRICS_TOKEN ?? null,
    drainSeconds: value.DRAIN_SECONDS ?? (isDevelopment ? 0 : 3),
    serviceWorker: value.SERVICE_WORKER,
    devPages: value.FARTHING_DEV_PAGES,
    awin: {
      ...awinAddresses(value, isDevelopment),
      publisherId: value.AWIN_PUBLISHER_ID ?? "100001",
      apiToken: value.AWIN_API_TOKEN ?? "development-token",
      pushSecret: value.AWIN_PUSH_SECRET ?? "development-push-secret",
      pollSeconds: value.AWIN_POLL_SECONDS ?? (isDevelopment ? 10 : 900),
      callsPerMinute: value.AWIN_CALLS_PER_MINUTE ?? 20,
    },
    mail: {
      smtpUrl: value.SMTP_URL ?? `smtp://localhost:${value.PORT + 25}`,
      from: value.MAIL_FROM ?? "club@farthing.example",
    },
    oldSecrets: value.FARTHING_OLD_SECRETS ?? [],
    stripe: stripeSettings(value, isDevelopment),
  };
}

/** Returns whether this is a development machine, as far as unchecked settings tell. */
export function isForDevelopment(environmentVariables: NodeJS.ProcessEnv = process.env): boolean {
  return (environmentVariables["FARTHING_ENV"] || "dev") === "dev";
}

/** In development: made-up credentials and the sandbox on the next port. Elsewhere card payments are optional. */
function stripeSettings(
  { PORT, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL }: z.infer<typeof environmentSchema>,
  isDevelopment: boolean,
): Config["stripe"] {
  const secretKey = STRIPE_SECRET_KEY ?? (isDevelopment ? "sk_test_development" : undefined);
  const webhookSecret = STRIPE_WEBHOOK_SECRET ?? (isDevelopment ? "whsec_development" : undefined);
  if (secretKey === undefined || webhookSecret === undefined) return null;
  const apiUrl = STRIPE_API_URL ?? (isDevelopment ? `http://localhost:${PORT + 1}` : "https://api.stripe.com");
  return { secretKey, webhookSecret, apiUrl };
}

/** Development must not call the real network: it has made-up credentials, and the sandbox on the next port. */
function awinAddresses(
  { PORT, AWIN_API_URL, AWIN_CLICK_URL }: z.infer<typeof environmentSchema>,
  isDevelopment: boolean,
): { apiUrl: string; clickUrl: string } {
  const sandbox = `http://localhost:${PORT + 1}`;
  return {
    apiUrl: AWIN_API_URL ?? (isDevelopment ? sandbox : "https://api.awin.com"),
    clickUrl: AWIN_CLICK_URL ?? (isDevelopment ? `${sandbox}/awin/cread.php` : "https://www.awin1.com/cread.php"),
  };
}
