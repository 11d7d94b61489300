import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { DeliveryResult } from "@farthing/core/partners/webhooks.server.ts";

export interface WebhookPost {
  url: string;
  body: string;
  signature: string;
  /** Allows addresses of this machine and of private networks (development). */
  allowPrivate: boolean;
  /** Aborts the request when the process stops. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Resolves a host name. Tests pass their own. */
  lookupAll?: LookupAll;
}

type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const TIMEOUT_MS = 10_000;
/** Interim answers (1xx) before the answer; an honest server sends one or two. */
const MAX_INTERIM = 20;

/**
 * Posts one event to a partner's endpoint. Follows no redirect, reads only the status of the answer, switches to no other protocol, and connects to no
 * private address (S1, server-side request forgery). The name is resolved once and the socket connects to the addresses
 * that were checked, which defeats DNS rebinding. An IP address in the URL is never resolved, so it is checked here;
 * sockets of plain http have the list as well (TLS sockets ignore it).
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
  const literal = target.hostname.replace(/^\[(.*)\]$/, "$1");
  if (!allowPrivate && isIP(literal) !== 0 && isPrivateAddress(literal))
    return Promise.resolve({ status: null, error: privateAddress });
  return new Promise((resolve) => {
    const post = target.protocol === "https:" ? requestHttps : requestHttp;
    // `blockList` is an option of net.connect, which the request passes on. The type of the request's options lacks it.
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
    let interim = 0;
    request.on("information", () => {
      interim += 1;
      if (interim > MAX_INTERIM) request.destroy(new Error("It sent only interim answers."));
    });
    // A 101 that nobody asked for is no response to Node: without this listener, nothing but the end of the connection is heard of it.
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? null, error: null });
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      resolve({ status: null, error: sentenceFor(error) });
    });
    // After each of these, and where there was none of them.
    request.on("close", () => {
      resolve({ status: null, error: "The connection was closed." });
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
 * Addresses of this machine, of private networks and of nobody (IANA's special-purpose address registries), and IPv6
 * addresses with an embedded IPv4 address, which may be translated to one of them.
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

/** Returns whether an IP address is not a public one, IPv4-mapped IPv6 addresses included. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  const family = isIP(plain);
  return (
    family === 0 || notPublic.check(plain, family === 6 ? "ipv6" : "ipv4") || (family === 6 && /^::ffff:/i.test(plain))
  );
}

/** Resolves a name once and returns the checked addresses. A name with any private address is refused. */
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
