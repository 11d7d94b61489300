import {
  DEVELOPMENT_SECRET,
  MAKE_SECRET,
  minLengths,
  NAME_PROXIES,
  proxyNetworks,
  splitSecrets,
} from "./environment-schema.ts";
import { issuerProblems } from "./gift-cards/issuer-settings.ts";
import { networkProblems } from "./networks/network-settings.ts";
import { weaknessOf } from "./secrets/secret-strength.ts";

/** Without HOST the server listens on the loopback address. */
export const LOOPBACK_HOST = "127.0.0.1";

/** Settings that have a harmless default in development and none elsewhere. */
const requiredOutsideDevelopment = {
  SMTP_URL:
    "Set your mail server's address, smtp://user:password@host:587 or smtps://…: members confirm their e-mail addresses with it.",
  MAIL_FROM: "Set the address that e-mails come from, for example club@your-domain.example.",
} as const;

/** Returns what staging and production require and the settings lack, as sentences. */
export function problemsOutsideDevelopment(environment: string, variables: NodeJS.ProcessEnv): string[] {
  const problems: string[] = [];
  if (!variables["FARTHING_SECRET"])
    problems.push(
      `FARTHING_SECRET is not set, and ${environment} does not start on the development secret. ${MAKE_SECRET}`,
    );
  const networks = networkProblems(environment, variables, { makeSecret: MAKE_SECRET });
  problems.push(...weakSecrets(variables), ...networks.weak, ...proxyProblems(environment, variables));
  problems.push(...networks.missing, ...issuerProblems(environment, variables));
  for (const [name, hint] of Object.entries(requiredOutsideDevelopment)) {
    if (!variables[name]) problems.push(`${name} is not set, and ${environment} needs it. ${hint}`);
  }
  if (!variables["STRIPE_SECRET_KEY"] !== !variables["STRIPE_WEBHOOK_SECRET"])
    problems.push(
      "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: a payment is only paid once a signed webhook says so. Set both, or neither for no card payments.",
    );
  if (environment === "production" && /^[a-z]+_test_/.test(variables["STRIPE_SECRET_KEY"] ?? ""))
    problems.push("STRIPE_SECRET_KEY is a test key, which takes no money. Set the live key.");
  problems.push(...contradictions(variables));
  if (variables["NODE_ENV"] !== "production")
    problems.push(`NODE_ENV is not production: pages would render at half the speed. Set NODE_ENV=production.`);
  if (variables["FARTHING_DEV_PAGES"] === "1" || variables["FARTHING_DEV_PAGES"] === "true")
    problems.push("FARTHING_DEV_PAGES serves pages from source. Remove it, or set FARTHING_ENV=dev.");
  return problems;
}

/** Settings of which each is right, and which fail together when a member first needs them. */
function contradictions({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_PUBLISHABLE_KEY: publishableKey,
  TELEMETRY_URL: telemetryUrl,
  PUBLIC_SCHEME: scheme = "https",
}: NodeJS.ProcessEnv): string[] {
  const sideOf = (key: string | undefined) => /^[a-z]+_(test|live)_/.exec(key ?? "")?.[1];
  const [side, published] = [sideOf(secretKey), sideOf(publishableKey)];
  const problems: string[] = [];
  if (side !== undefined && published !== undefined && side !== published)
    problems.push(
      `STRIPE_PUBLISHABLE_KEY is a ${published} key and STRIPE_SECRET_KEY is a ${side} one, so no card can be paid with. Set the publishable key that Stripe shows beside the secret one: it starts with pk_${side}_.`,
    );
  if (scheme === "https" && /^http:/i.test(telemetryUrl ?? ""))
    problems.push(
      "TELEMETRY_URL starts with http://, and browsers send nothing there from pages of https. Set its https:// address, or PUBLIC_SCHEME=http.",
    );
  return problems;
}

/** Old secrets still decrypt and verify, so they must be as strong as the current one. */
function weakSecrets(variables: NodeJS.ProcessEnv): string[] {
  const { FARTHING_SECRET: secret, FARTHING_OLD_SECRETS: old } = variables;
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
  return problems;
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
