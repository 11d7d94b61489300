import { lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { DeliveryResult } from "@farthing/core/partners/webhooks.server.ts";

export interface WebhookPost {
  url: string;
  body: string;
  signature: string;
  /** Also to addresses of this machine and private networks: development. */
  allowPrivate: boolean;
  /** Gives up before the endpoint answers: the process is ending. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/**
 * Posts one event to a partner's endpoint. Follows no redirect, reads no answer beyond its status, and connects to no private address, wherever the name leads at this
 * moment (S1, server-side request forgery; a name may lead elsewhere than when it was written down).
 */
export function postWebhook({
  url,
  body,
  signature,
  allowPrivate,
  signal,
  timeoutMs = TIMEOUT_MS,
}: WebhookPost): Promise<DeliveryResult> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, "");
  if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host))
    return Promise.resolve({ status: null, error: privateAddress });
  return new Promise((resolve) => {
    const post = target.protocol === "https:" ? requestHttps : requestHttp;
    const request = post(
      target,
      {
        method: "POST",
        agent: false,
        lookup: allowPrivate ? lookup : publicLookup,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
        headers: {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(body),
          "User-Agent": "Farthing-Webhooks/1",
          "Farthing-Signature": signature,
        },
      },
      (response) => {
        response.destroy();
        resolve({ status: response.statusCode ?? null, error: null });
      },
    );
    request.on("error", (error: NodeJS.ErrnoException) => {
      resolve({
        status: null,
        error: error.name === "AbortError" ? "No answer in time." : (error.code ?? error.message),
      });
    });
    request.end(body);
  });
}

const privateAddress = "The address is not a public one.";

/** Addresses that are this machine, its network or nobody's (IANA's special-purpose registries). */
const notPublic = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 96],
  ["64:ff9b::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  notPublic.addSubnet(network, bits, "ipv6");

/** Whether an IP address is none of the public internet's; also one that dresses as the other family. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  const family = isIP(plain);
  return (
    family === 0 || notPublic.check(plain, family === 6 ? "ipv6" : "ipv4") || (family === 6 && /^::ffff:/i.test(plain))
  );
}

/** As the system looks names up, but one that leads to a private address leads nowhere. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "", 0);
    const [first] = addresses;
    if (!first || addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(Object.assign(new Error(privateAddress), { code: privateAddress }), "", 0);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
