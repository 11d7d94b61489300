import { commandLine } from "../command-line.ts";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Config } from "../env.ts";
import { type Finding, counted, listed, look, ok, wrong } from "./finding.ts";

/** Time in ms for one host: below the limit of a check, so that one silent host does not hide the others. */
const HOST_TIMEOUT_MS = 4_000;
const DAY_MS = 86_400_000;
/** Days left at which certificates should have been renewed. */
export const RENEW_DAYS = 14;
const LAST_DAYS = 3;

/** What a host shows to browsers. */
export interface ShownCertificate {
  /** Null: no TLS connection came about. */
  validTo: Date | null;
  /** Why browsers refuse it; null: they don't. */
  refusal: string | null;
}

/** Looks at the certificate of each brand's hosts, as a browser would. */
export async function lookAtCertificates(
  hosts: readonly string[],
  {
    config,
    now,
    port = 443,
    show = showCertificate,
  }: {
    config: Pick<Config, "environment" | "publicScheme">;
    now: Date;
    port?: number;
    show?: (host: string, port: number) => Promise<ShownCertificate>;
  },
): Promise<Finding[]> {
  if (config.environment === "dev") return [ok("Not looked at: a development machine has no certificates.")];
  if (config.publicScheme === "http") return [ok("Not looked at: PUBLIC_SCHEME is http.")];
  const found = hosts.filter((host) => isPublicName(host));
  const skipped = hosts.length - found.length;
  const findings = (
    await Promise.all(found.map(async (host) => certificateFinding(host, await show(host, port), now)))
  ).filter(({ level }) => level !== "ok");
  if (findings.length > 0) return findings;
  const word = skipped === 0 ? "" : `; ${counted(skipped, "local name")} left out`;
  return [
    ok(
      `${counted(found.length, "host")} with a certificate that browsers accept for ${RENEW_DAYS} days or more${word}.`,
    ),
  ];
}

/** Returns what a host's certificate means. Pure. */
export function certificateFinding(host: string, { validTo, refusal }: ShownCertificate, now: Date): Finding {
  if (validTo === null)
    return wrong(
      `${host} does not answer over TLS.`,
      "Look at its DNS and at the proxy (docs/operations/behind-a-proxy.md).",
    );
  const days = Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
  if (days < 0) return wrong(`The certificate of ${host} has expired.`, "Renew it, and see why the renewal failed.");
  if (refusal !== null)
    return wrong(`Browsers refuse the certificate of ${host}: ${refusal}.`, "Get one for this name.");
  const says = `The certificate of ${host} ends in ${counted(days, "day")}.`;
  const remedy = "Renew it, and see why it was not renewed by itself.";
  if (days < LAST_DAYS) return wrong(says, remedy);
  return days < RENEW_DAYS ? look(says, remedy) : ok(says);
}

/** Returns whether a host can be reached by a public name: not `.localhost`, `.test` or an address. */
export function isPublicName(host: string): boolean {
  return host.includes(".") && isIP(host) === 0 && !/(^|\.)(localhost|local|internal|test|example|invalid)$/.test(host);
}

const refusals: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "it is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its authority is unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the proxy does not send the whole chain",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its authority is unknown",
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet",
};

/** Connects and returns what the host shows; sends no request. @param address where to connect instead of the host's own */
export function showCertificate(host: string, port: number, address = host): Promise<ShownCertificate> {
  return new Promise((resolve) => {
    const socket = connect({
      host: address,
      port,
      servername: host,
      rejectUnauthorized: false,
      timeout: HOST_TIMEOUT_MS,
    });
    const end = (shown: ShownCertificate) => {
      socket.destroy();
      resolve(shown);
    };
    socket.on("secureConnect", () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const code = codeOf(socket.authorizationError);
      const refusal = socket.authorized ? null : (refusals[code] ?? "its chain can’t be checked");
      end({ validTo: validTo ? new Date(validTo) : null, refusal });
    });
    socket.on("timeout", () => end({ validTo: null, refusal: null }));
    socket.on("error", () => end({ validTo: null, refusal: null }));
  });
}

/** Node gives the code itself, or an error that has it. */
function codeOf(error: unknown): string {
  return typeof error === "string" ? error : String((error as { code?: unknown } | null)?.code ?? "");
}

/**
 * Asks each brand's main host for its manifest, from outside as networks' and card providers' webhooks come. Health has its own
 * address, which the documented proxies hide.
 */
export async function lookAtPublicAddresses(
  hosts: readonly string[],
  {
    config,
    originOf,
    ask = fetch,
  }: { config: Pick<Config, "environment">; originOf(host: string): string; ask?: typeof fetch },
): Promise<Finding[]> {
  if (config.environment === "dev") return [ok("Not looked at: a development machine has no public address.")];
  const found = hosts.filter((host) => isPublicName(host));
  if (found.length === 0)
    return [
      look("No brand has a public host.", `Give each brand one: ${commandLine("brands")} (docs/operations/brands.md).`),
    ];
  const silent = (
    await Promise.all(found.map(async (host) => ((await answers(ask, originOf(host))) ? [] : [host])))
  ).flat();
  if (silent.length === 0) return [ok(`${counted(found.length, "brand")} answered at the public address.`)];
  return [
    wrong(
      `Farthing does not answer from here at ${listed(silent)}.`,
      "Look at its DNS and the proxy: webhooks of networks and of the card provider come in there. Where this machine can’t reach its own public address, ask from another one.",
    ),
  ];
}

async function answers(ask: typeof fetch, origin: string): Promise<boolean> {
  try {
    const answer = await ask(new URL("/manifest.webmanifest", origin), {
      redirect: "manual",
      signal: AbortSignal.timeout(HOST_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return answer.status === 200 && /manifest\+json/.test(answer.headers.get("content-type") ?? "");
  } catch {
    return false; // refused, too slow, or no TLS: the finding says so
  }
}
