import { userInfo } from "node:os";
import { resolve } from "node:path";
import type { GoodwillLimits } from "@farthing/core/goodwill/rules.ts";
import type { BacsOriginator } from "@farthing/core/payouts/bacs-files.ts";
import type { NetworkSettings } from "@farthing/providers/affiliates/network-definition.ts";
import type { z } from "zod";
import { environmentSchema, proxyNetworks, type Role } from "./environment-schema.ts";
import type { TrustProxy } from "./http/request-origin.ts";
import { readIssuerSettings } from "./gift-cards/issuer-settings.ts";
import { readNetworkSettings } from "./networks/network-settings.ts";
import { LOOPBACK_HOST, problemsOutsideDevelopment } from "./problems-outside-development.ts";

/** The checked environment. All other code receives this or a part of it. */
export interface Config {
  environment: "dev" | "staging" | "production";
  nodeEnv: "development" | "production" | "test";
  port: number;
  host: string;
  dataDir: string;
  /** Null: the embedded PostgreSQL is started in the data folder. */
  databaseUrl: string | null;
  /**
   * The database without the pooler that `databaseUrl` names, for what lasts longer than a transaction: migrations and notifications. Null: the same.
   */
  databaseDirectUrl: string | null;
  /** A standby of the database, for reads that may be some seconds old. Null: there is none. */
  databaseReadUrl: string | null;
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
  /** HSTS covers every host below a brand's, too. */
  hstsSubdomains: boolean;
  metricsToken: string | null;
  /** Time between /readyz answering 503 and connections being refused. */
  drainSeconds: number;
  /** Off: browsers that have our service worker remove it. */
  serviceWorker: boolean;
  /** Pages are served from source, with hot reload, instead of from the build. */
  devPages: boolean;
  /** The networks that are set up, by slug. */
  networks: Readonly<Record<string, NetworkSettings>>;
  /** The issuers of gift cards that are set up, by slug. */
  issuers: Readonly<Record<string, unknown>>;
  /** The account that payouts come from; null: not configured. */
  bacs: BacsOriginator | null;
  /** Where files for the bank are written. */
  payoutsDir: string;
  /** What operators may credit to members. */
  goodwill: GoodwillLimits;
  mail: {
    smtpUrl: string;
    /** The sender: an address without a name. */
    from: string;
  };
  /** Earlier secrets, which members' secrets may still be encrypted with. */
  oldSecrets: readonly string[];
  /** Scheme and host of the telemetry collector that browsers send to; null: each brand's own host. */
  telemetryUrl: string | null;
  /** Address of the tag manager's script, without the container. */
  tagManagerUrl: string;
  /** Origins that the tags of the tag manager may load from and send to. */
  tagSources: readonly string[];
  /** A shop that shows the widget with test cards; null: /partners links to none. */
  partnerDemoUrl: string | null;
  /** Null: card payments are not configured. */
  stripe: StripeAccount | null;
  /** Where partners' test keys pay: an account that can't take money. Null: they can't pay. */
  stripeTest: StripeAccount | null;
  telemetry: {
    /** Days that events are kept. */
    days: number;
    /** Who holds one of these may send batches. */
    batchKeys: readonly string[];
    /** A ClickHouse server that events are copied to, with user, password and database; null: none. */
    clickhouseUrl: string | null;
  };
  /** The collector that takes traces by OTLP over HTTP; null: nothing is traced. */
  tracing: {
    /** Without /v1/traces. */
    endpoint: string;
    /** Sent with each export, for example a token. */
    headers: Readonly<Record<string, string>>;
    /** The share of requests and rounds of jobs that is traced, 0 to 1. */
    ratio: number;
  } | null;
  /** Where the embedded database archives its log and its base backups are; null: nowhere. */
  backupDir: string | null;
  /** The number of base backups that are kept. */
  backupsKept: number;
}

export interface StripeAccount {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string;
  /** For the widget; null: partners' pages name it themselves. */
  publishableKey: string | null;
  /** The card provider's script in partners' pages; null: the provider's own. */
  scriptUrl: string | null;
}

export const DEVELOPMENT_ORIGINATOR: BacsOriginator = {
  ...{ serviceUserNumber: "999999", sortCode: "200000", accountNumber: "55779911", name: "FARTHING SANDBOX" },
};

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
  if (variables["DATABASE_DIRECT_URL"] !== undefined && variables["DATABASE_URL"] === undefined)
    problems.push(
      "DATABASE_DIRECT_URL is set, and DATABASE_URL is not. Set DATABASE_URL to the address of the pooler before that database, or remove both.",
    );
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
  const stripe = stripeSettings(value, isDevelopment);
  return {
    environment: value.FARTHING_ENV,
    nodeEnv: value.NODE_ENV,
    port: value.PORT,
    // Development has accounts with a published password, and elsewhere a proxy terminates TLS: only this machine needs
    // to connect.
    host: value.HOST ?? LOOPBACK_HOST,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    databaseDirectUrl: value.DATABASE_DIRECT_URL ?? null,
    databaseReadUrl: value.DATABASE_READ_URL ?? null,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    secret: value.FARTHING_SECRET,
    roles: value.ROLES,
    logLevel: value.LOG_LEVEL ?? (isDevelopment ? "warn" : "info"),
    trustProxy: value.TRUST_PROXY ?? false,
    publicScheme: value.PUBLIC_SCHEME ?? (isDevelopment ? "http" : "https"),
    hstsSubdomains: value.HSTS_SUBDOMAINS,
    metricsToken: value.METRICS_TOKEN ?? null,
    drainSeconds: value.DRAIN_SECONDS ?? (isDevelopment ? 0 : 3),
    serviceWorker: value.SERVICE_WORKER,
    devPages: value.FARTHING_DEV_PAGES,
    networks: readNetworkSettings(variables, { isDevelopment, standInUrl: `http://localhost:${value.PORT + 1}` }),
    issuers: readIssuerSettings(variables, { isDevelopment, standInUrl: `http://localhost:${value.PORT + 1}` }),
    bacs: value.BACS_ORIGINATOR ?? (isDevelopment ? DEVELOPMENT_ORIGINATOR : null),
    payoutsDir: resolve(value.PAYOUTS_DIR),
    goodwill: { dayPence: value.GOODWILL_PER_DAY, memberPence: value.GOODWILL_PER_MEMBER },
    mail: {
      smtpUrl: value.SMTP_URL ?? `smtp://localhost:${value.PORT + 25}`,
      from: value.MAIL_FROM ?? "club@farthing.example",
    },
    oldSecrets: value.FARTHING_OLD_SECRETS ?? [],
    telemetryUrl: value.TELEMETRY_URL ? new URL(value.TELEMETRY_URL).origin : null,
    tagManagerUrl:
      value.TAG_MANAGER_URL ??
      (isDevelopment
        ? `http://localhost:${value.PORT + 1}/tag-manager/gtm.js`
        : "https://www.googletagmanager.com/gtm.js"),
    tagSources: value.TAG_SOURCES ?? [],
    // The sandbox's partner, two ports above.
    partnerDemoUrl: value.PARTNER_DEMO_URL ?? (isDevelopment ? `http://localhost:${value.PORT + 2}` : null),
    stripe,
    stripeTest: stripeTestSettings(value, stripe),
    telemetry: {
      days: value.TELEMETRY_DAYS,
      batchKeys: value.TELEMETRY_BATCH_KEYS ?? [],
      clickhouseUrl: value.CLICKHOUSE_URL ?? null,
    },
    tracing:
      value.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: value.OTEL_EXPORTER_OTLP_HEADERS ?? {},
            ratio: value.OTEL_TRACES_SAMPLER_ARG,
          },
    backupDir: value.BACKUP_DIR === undefined ? null : resolve(value.BACKUP_DIR),
    backupsKept: value.BACKUPS_KEPT,
  };
}

/** Returns the variables of this process, empty ones left out, for the command that says what is wrong with them. */
export function readVariables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, value]],
    ),
  );
}

/**
 * Returns who runs a command, for the records of who did what: their account on the server. `bin/farthing` runs commands under the account of the
 * settings file, and says in `FARTHING_TYPED_BY` who typed them. It is no setting of the club.
 */
export function typedBy(environmentVariables: NodeJS.ProcessEnv = process.env): string {
  return environmentVariables["FARTHING_TYPED_BY"] || userInfo().username;
}

/** Returns whether this is a development machine, as far as unchecked settings tell. */
export function isForDevelopment(environmentVariables: NodeJS.ProcessEnv = process.env): boolean {
  return (environmentVariables["FARTHING_ENV"] || "dev") === "dev";
}

/** In development: made-up credentials and the sandbox on the next port. Elsewhere card payments are optional. */
function stripeSettings(
  {
    PORT,
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL,
    STRIPE_PUBLISHABLE_KEY,
  }: z.infer<typeof environmentSchema>,
  isDevelopment: boolean,
): Config["stripe"] {
  const secretKey = STRIPE_SECRET_KEY ?? (isDevelopment ? "sk_test_development" : undefined);
  const webhookSecret = STRIPE_WEBHOOK_SECRET ?? (isDevelopment ? "whsec_development" : undefined);
  if (secretKey === undefined || webhookSecret === undefined) return null;
  const apiUrl = STRIPE_API_URL ?? (isDevelopment ? `http://localhost:${PORT + 1}` : "https://api.stripe.com");
  return {
    secretKey,
    webhookSecret,
    apiUrl,
    publishableKey: STRIPE_PUBLISHABLE_KEY ?? (isDevelopment ? "pk_test_sandbox" : null),
    // The stand-in for the provider serves its script too; the widget takes it with test keys only.
    scriptUrl: isDevelopment ? `${apiUrl}/cards/v3/` : null,
  };
}

/**
 * The test side: its own settings, or the account itself where that takes no money. With a live account and no settings
 * of their own, partners' test keys can't pay.
 */
function stripeTestSettings(
  { STRIPE_TEST_SECRET_KEY, STRIPE_TEST_WEBHOOK_SECRET, STRIPE_API_URL }: z.infer<typeof environmentSchema>,
  stripe: Config["stripe"],
): Config["stripeTest"] {
  if (STRIPE_TEST_SECRET_KEY !== undefined && STRIPE_TEST_WEBHOOK_SECRET !== undefined) {
    const apiUrl = stripe?.apiUrl ?? STRIPE_API_URL ?? "https://api.stripe.com";
    return {
      secretKey: STRIPE_TEST_SECRET_KEY,
      webhookSecret: STRIPE_TEST_WEBHOOK_SECRET,
      apiUrl,
      publishableKey: null,
      scriptUrl: null,
    };
  }
  return stripe && /^[a-z]+_test_/.test(stripe.secretKey) ? stripe : null;
}
