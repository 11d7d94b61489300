import { DEVELOPMENT_SECRET, environmentSchema, minLengths, splitSecrets } from "../environment-schema.ts";
import { ConfigurationError, readConfig } from "../env.ts";
import { problemsOutsideDevelopment } from "../problems-outside-development.ts";
import { weaknessOf } from "../secrets/secret-strength.ts";
import { type Finding, listed, look, ok, wrong } from "./finding.ts";

type Variables = Readonly<Record<string, string>>;

/** Checks the settings as the server does at its start, and those of a development machine against production's needs (P3). */
export function lookAtSettings(variables: Variables): Finding[] {
  try {
    readConfig(variables);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map((problem) => wrong(problem, "docs/configuration.md describes every setting."));
  }
  if ((variables["FARTHING_ENV"] ?? "dev") !== "dev") return [ok("The server starts on these settings.")];
  const lacking = problemsOutsideDevelopment("production", variables).map((problem) => problem.split(/[ :]/)[0] ?? "");
  return [
    look(
      `These settings are for development; production also needs ${listed([...new Set(lacking)])}.`,
      "Before members come, set FARTHING_ENV=production and what docs/operations/brands.md lists.",
    ),
  ];
}

interface NamedSecret {
  name: string;
  value: string;
  /** Minimum length in characters; null: another company made it, and only its signs of a placeholder count. */
  minLength: number | null;
}

const SECRET_NAME = /(SECRET|TOKEN|PASSWORD|(?<!PUBLISHABLE_)KEY)$/;
/** Those that we make ourselves, besides those of `minLengths`. */
const OWN_NAME = /_PUSH_SECRET$/;
/** Of one database: they share a login by design. */
const DATABASES = ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL"] as const;
const ADDRESSES = [...DATABASES, "SMTP_URL", "CLICKHOUSE_URL"] as const;
const HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";
/** Headers whose names tell that their value is a secret. */
const SECRET_HEADER = /(authorization|key|token|secret|password)$/i;
const LISTS = ["FARTHING_OLD_SECRETS", "TELEMETRY_BATCH_KEYS"] as const;

/** Returns the names of all settings that are secrets or have one inside. */
export function secretNames(): string[] {
  const single = Object.keys(environmentSchema.shape).filter((name) => SECRET_NAME.test(name));
  return [...single, ...ADDRESSES, HEADERS, ...LISTS];
}

/** Returns every secret of the settings, those in addresses, headers and lists too. */
export function secretsOf(variables: Variables): NamedSecret[] {
  const single = Object.keys(environmentSchema.shape).filter((name) => SECRET_NAME.test(name));
  const passwords = ADDRESSES.flatMap((name) => {
    const address = variables[name];
    const password = address && URL.canParse(address) ? new URL(address).password : "";
    return password === "" ? [] : [{ name: passwordIn(name), value: decoded(password), minLength: null }];
  });
  const headers = headersOf(variables).filter(({ header }) => SECRET_HEADER.test(header));
  const list = (name: (typeof LISTS)[number], minLength: number) =>
    splitSecrets(variables[name] ?? "").map((value, index) => ({ name: `${name} ${index + 1}`, value, minLength }));
  return [
    ...single.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [{ name, value, minLength: minLengthOf(name) }];
    }),
    ...list("FARTHING_OLD_SECRETS", minLengths.FARTHING_SECRET),
    ...list("TELEMETRY_BATCH_KEYS", minLengths.TELEMETRY_BATCH_KEYS),
    ...passwords,
    ...headers.map(({ header, value }) => ({ name: `the header ${header} in ${HEADERS}`, value, minLength: null })),
  ];
}

/**
 * Returns what no text may show: every secret, and the value of every header that has a digit, because not every name tells that it is a
 * secret. A header may also hold a word that the text needs, such as the club's name.
 */
export function valuesToHide(variables: Variables): string[] {
  const perhaps = headersOf(variables).filter(({ value }) => /\d/.test(value));
  return [...secretsOf(variables), ...perhaps].map(({ value }) => value);
}

/** Returns the headers for the collector, without the scheme before a token. Also of a list that the server does not start on. */
function headersOf(variables: Variables): { header: string; value: string }[] {
  return (variables[HEADERS] ?? "").split(",").flatMap((pair) => {
    const [, header = "", text = ""] = /^\s*([^=]*)=(.*)$/s.exec(pair) ?? [];
    const value = decoded(text).trim().split(/\s+/).at(-1) ?? "";
    return value === "" ? [] : [{ header, value }];
  });
}

function passwordIn(name: string): string {
  return `the password in ${name}`;
}

function minLengthOf(name: string): number | null {
  if (name === "FARTHING_SECRET" || name === "METRICS_TOKEN") return minLengths[name];
  return OWN_NAME.test(name) ? 24 : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone per cent sign is part of the password
  }
}

/** Looks for secrets that can be guessed, are published, or stand for two things (S1). Names them, never their values. */
export function lookAtSecrets(variables: Variables): Finding[] {
  const secrets = secretsOf(variables);
  const tell = (variables["FARTHING_ENV"] ?? "dev") === "dev" ? look : wrong;
  const findings = secrets.flatMap((secret) => {
    const weakness = weaknessOfSecret(secret);
    return weakness === null
      ? []
      : [tell(`${sentenceStart(secret.name)} ${weakness}.`, "Set a long random value: openssl rand -hex 32.")];
  });
  if (variables["FARTHING_SECRET"] === undefined)
    findings.push(
      tell("FARTHING_SECRET is the published one of development.", "Set a long random value: openssl rand -hex 32."),
    );
  for (const same of sameValues(secrets))
    findings.push(
      tell(`${sentenceStart(same.join(" and "))} have the same value.`, "Give each its own: who learns one has both."),
    );
  const different = new Set(secrets.map(({ value }) => value)).size;
  return findings.length > 0
    ? findings
    : [ok(`${different === 1 ? "The secret is" : `All ${different} secrets are`} long, random and used once.`)];
}

function weaknessOfSecret({ value, minLength }: NamedSecret): string | null {
  if (value === DEVELOPMENT_SECRET) return "is the published one of development";
  return weaknessOf(value, minLength ?? 1);
}

function sameValues(secrets: readonly NamedSecret[]): string[][] {
  const names = new Map<string, string[]>();
  for (const { name, value } of secrets) names.set(value, [...(names.get(value) ?? []), name]);
  const databases = new Set<string>(DATABASES.map(passwordIn));
  return [...names.values()].filter((same) => same.length > 1 && !same.every((name) => databases.has(name)));
}

function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
