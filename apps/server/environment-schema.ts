import { recipientSchema } from "@farthing/core/mails/recipient.ts";
import { parsePounds } from "@farthing/core/money/money.ts";
import { header, webAddress, wholeNumber } from "@farthing/providers/environment-values.ts";
import { z } from "zod";
import type { TrustProxy } from "./http/request-origin.ts";
import { TrustedNetworks } from "./http/trusted-networks.ts";
import { issuerVariables } from "./gift-cards/issuer-settings.ts";
import { networkVariables } from "./networks/network-settings.ts";
import { weaknessOf } from "./secrets/secret-strength.ts";

/** The secret of every development machine. It is public, so staging and production refuse it. */
export const DEVELOPMENT_SECRET = "farthing-development-secret-do-not-use-elsewhere";
/** Minimum lengths, in characters. */
export const minLengths = { FARTHING_SECRET: 32, METRICS_TOKEN: 16, TELEMETRY_BATCH_KEYS: 24 } as const;
export const MAKE_SECRET = "Set a long random value, for example from: openssl rand -hex 32";

export const roles = ["web", "collector", "worker"] as const;
export type Role = (typeof roles)[number];

const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `is not one of ${values.join(", ")}. Set one of them.` });

const flag = z
  .enum(["0", "1", "false", "true"], { error: "is neither 1 nor 0. Set 1 for yes or 0 for no." })
  .transform((text) => text === "1" || text === "true");

/** A list of networks, or the word `none`. */
export const proxyNetworks = z.string().transform((text, context): TrustProxy => {
  if (text.trim().toLowerCase() === "none") return false;
  try {
    return new TrustedNetworks(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue(`${error.message}. ${NAME_PROXIES}`);
    return z.NEVER;
  }
});
export const NAME_PROXIES =
  "Set the networks of your proxies, for example loopback or 10.0.0.0/8,fd00::/8, or none if visitors reach this server directly.";

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

const pounds = z.string().transform((text, context) => {
  const pence = parsePounds(text);
  if (pence !== null) return pence;
  context.addIssue("is not an amount. Set pounds, for example 50 or 49.50.");
  return z.NEVER;
});

const bacsOriginator = z.string().transform((text, context) => {
  const [serviceUserNumber = "", sortCode = "", accountNumber = "", ...name] = text
    .split(",")
    .map((part) => part.trim());
  const account = { serviceUserNumber, sortCode: sortCode.replaceAll("-", ""), accountNumber, name: name.join(" ") };
  const isWhole =
    /^\d{6}$/.test(serviceUserNumber) && /^\d{6}$/.test(account.sortCode) && /^\d{8}$/.test(accountNumber);
  if (isWhole && account.name !== "") return account;
  context.addIssue(
    "is not an account to pay from. Set service user number, sort code, account number and name, for example 123456,20-00-00,55779911,THE CLUB.",
  );
  return z.NEVER;
});

/** Origins, and hosts with a wildcard, as a content security policy names them. */
const originList = z.string().transform((text, context) => {
  const origins = text.split(",").map((origin) => origin.trim());
  if (origins.every((origin) => /^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/.test(origin))) return origins;
  context.addIssue(
    "is not a list of origins. Set for example https://www.google-analytics.com,https://*.google-analytics.com.",
  );
  return z.NEVER;
});

const batchKeys = z
  .string()
  .transform(splitSecrets)
  .superRefine((keys, context) => {
    const weakness = keys
      .map((key) => weaknessOf(key, minLengths.TELEMETRY_BATCH_KEYS))
      .find((found) => found !== null);
    if (weakness) context.addIssue(`has a key that ${weakness}. ${MAKE_SECRET}`);
  });

/** Headers as OpenTelemetry's settings have them: `name=value,name=value`, values percent-encoded. */
const collectorHeaders = z.string().transform((text, context): Record<string, string> => {
  const pairs = text.split(",").map((pair) => /^\s*([A-Za-z0-9-]+)=((?:%[2-7][0-9A-Fa-f]|[!-$&-~])+)\s*$/.exec(pair));
  if (pairs.every((pair) => pair !== null))
    return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decodeURIComponent(value)]));
  context.addIssue("is not a list of headers. Set for example authorization=Bearer%20abc123.");
  return z.NEVER;
});

const share = z
  .string()
  .refine((text) => /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text), "is not a share from 0 to 1. Set for example 0.1.")
  .transform(Number);

const roleList = z
  .string()
  .refine(
    (text) => text.split(",").every((role) => (roles as readonly string[]).includes(role.trim())),
    `names an unknown role. Set a comma-separated list of ${roles.join(", ")}.`,
  )
  .transform((text) => new Set(text.split(",").map((role) => role.trim() as Role)));

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
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  DATABASE_READ_URL: postgresAddress.optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 500, "Set for example 16.").default(16),
  FARTHING_SECRET: z.string().default(DEVELOPMENT_SECRET),
  ROLES: roleList.default(new Set(roles)),
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent").optional(),
  TRUST_PROXY: proxyNetworks.optional(),
  PUBLIC_SCHEME: oneOf("http", "https").optional(),
  HSTS_SUBDOMAINS: flag.default(true),
  METRICS_TOKEN: header
    .superRefine((token, context) => {
      const weakness = weaknessOf(token, minLengths.METRICS_TOKEN);
      if (weakness !== null) context.addIssue(`${weakness}. ${MAKE_SECRET}`);
    })
    .optional(),
  DRAIN_SECONDS: wholeNumber(0, 8, "Set for example 3.").optional(),
  SERVICE_WORKER: flag.default(true),
  FARTHING_DEV_PAGES: flag.default(false),
  ...(networkVariables() as object), // read by readNetworkSettings
  ...(issuerVariables() as object), // read by readIssuerSettings
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
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_[A-Za-z0-9_]+$/, "is not a publishable key. Set the one from Stripe that starts with pk_.")
    .optional(),
  STRIPE_TEST_SECRET_KEY: z
    .string()
    .regex(
      /^(sk|rk)_test_[A-Za-z0-9_]+$/,
      "is not a test key. Set the secret key of Stripe's test side, which starts with sk_test_: partners' test keys must never take money.",
    )
    .optional(),
  STRIPE_TEST_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9_+/=]+$/,
      "is not a signing secret. Set the one Stripe shows beside the webhook endpoint of its test side; it starts with whsec_.",
    )
    .optional(),
  STRIPE_API_URL: webAddress.optional(),
  PARTNER_DEMO_URL: webAddress.optional(),
  TELEMETRY_URL: webAddress.optional(),
  TAG_MANAGER_URL: webAddress.optional(),
  TAG_SOURCES: originList.optional(),
  BACS_ORIGINATOR: bacsOriginator.optional(),
  PAYOUTS_DIR: z.string().default("."),
  GOODWILL_PER_DAY: pounds.default(50_000),
  GOODWILL_PER_MEMBER: pounds.default(5_000),
  SMTP_URL: smtpAddress.optional(),
  MAIL_FROM: z
    .string()
    .refine(
      (text) => recipientSchema.safeParse(text).success,
      "is not an e-mail address. Set one alone, for example club@your-domain.example.",
    )
    .optional(),
  FARTHING_OLD_SECRETS: z.string().transform(splitSecrets).optional(),
  TELEMETRY_DAYS: wholeNumber(1, 3_650, "Set for example 90.").default(90),
  TELEMETRY_BATCH_KEYS: batchKeys.optional(),
  CLICKHOUSE_URL: webAddress.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: collectorHeaders.optional(),
  OTEL_TRACES_SAMPLER_ARG: share.default(0.1),
  BACKUP_DIR: z.string().optional(),
  BACKUPS_KEPT: wholeNumber(1, 1_000, "Set for example 7.").default(7),
});

/** Returns the secrets of a comma-separated list. */
export function splitSecrets(text: string): string[] {
  return text
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
}
