import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { request as requestHttp, type RequestOptions } from "node:http";
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
  /** Finds the addresses of a name; tests give their own. */
  lookupAll?: LookupAll;
}

type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const TIMEOUT_MS = 10_000;

/**
 * Posts one event to a partner's endpoint. Follows no redirect, reads no answer beyond its status, and connects to no private address (S1, server-side request
 * forgery). The name is looked up once, at this moment, and the socket connects to the addresses that were checked, so a name server that answers
 * differently the next time (DNS rebinding) gains nothing. The socket has the list of private networks too: it refuses addresses that the URL
 * itself names, which are never looked up.
 */
export function postWebhook({
  url,
  body,
  signature,
  allowPrivate,
  signal,
  timeoutMs = TIMEOUT_MS,
  lookupAll = lookup,
}: WebhookPost): Promise<DeliveryResult> {
  const target = new URL(url);
  return new Promise((resolve) => {
    const post = target.protocol === "https:" ? requestHttps : requestHttp;
    // `blockList` is an option of net.connect, which the request hands on; its own type does not list it.
    const connecting: RequestOptions & { blockList?: BlockList } = allowPrivate
      ? { lookup }
      : { lookup: publicLookup(lookupAll), blockList: notPublic };
    const request = post(
      target,
      {
        ...connecting,
        method: "POST",
        agent: false,
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
      resolve({ status: null, error: sentenceFor(error) });
    });
    request.end(body);
  });
}

const privateAddress = "The address is not a public one.";

function sentenceFor(error: NodeJS.ErrnoException): string {
  if (error.name === "AbortError") return "No answer in time.";
  return error.code === "ERR_IP_BLOCKED" ? privateAddress : (error.code ?? error.message);
}

/**
 * Addresses that are this machine, its network or nobody's (IANA's special-purpose address registries), and those that carry an IPv4 address
 * inside and may be led back to one of these.
 */
const notPublic = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 96],
  ["64:ff9b::", 32],
  ["100::", 32],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
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

/** Looks a name up once and hands on the addresses that were checked. A name that leads to a private address, also to one among others, leads nowhere. */
function publicLookup(lookupAll: LookupAll): LookupFunction {
  return (hostname, options, callback) => {
    lookupAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => isPrivateAddress(address)))
        return callback(Object.assign(new Error(privateAddress), { code: privateAddress }), "", 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
