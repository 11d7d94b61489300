import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { readAddress, type TrustedNetworks } from "./trusted-networks.ts";

/** Reads a header of a request by its name. */
export type HeaderReader = (name: string) => string | undefined;

/** The headers of a request, and the address at the other end of its connection, which no header can forge. */
export interface Incoming {
  header: HeaderReader;
  peer?: string | undefined;
}

/** The networks whose forwarded headers are trusted; false if there is no proxy. */
export type TrustProxy = TrustedNetworks | false;

export interface OriginOptions {
  publicScheme: "http" | "https";
  trustProxy: TrustProxy;
}

export function incomingOf(context: Context<AppEnv>): Incoming {
  return { header: (name) => context.req.header(name), peer: context.env?.incoming?.socket.remoteAddress };
}

/** Returns the origin of a request, or null if its host can't be part of an address (1.2.3.4.5, port 99999). */
export function originOf(context: Context<AppEnv>, options: OriginOptions): string | null {
  const origin = requestOrigin(incomingOf(context), options);
  return origin !== null && URL.canParse(origin) ? origin : null;
}

/** A host name or address with an optional port. Anything else in a Host header is an attack or a mistake. */
const wellFormedHost = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Returns the scheme, host and port that the visitor used, or null if the Host header is missing or malformed. The
 * scheme is the configured one unless a trusted proxy says https; a client's claim is ignored.
 */
export function requestOrigin(incoming: Incoming, options: OriginOptions): string | null {
  const { header } = incoming;
  const isForwarded = isFromProxy(incoming, options.trustProxy);
  const forwarded = isForwarded ? lastOf(header("x-forwarded-host")) : undefined;
  const host = (forwarded ?? header("host") ?? "").toLowerCase();
  if (!wellFormedHost.test(host)) return null;
  const scheme = isForwarded && lastOf(header("x-forwarded-proto")) === "https" ? "https" : options.publicScheme;
  return `${scheme}://${host}`;
}

/** Returns the host of an origin without its port; brands are looked up by it. */
export function hostnameOf(origin: string): string {
  const host = origin.slice(origin.indexOf("//") + 2);
  return host.replace(/:\d+$/, "").replace(/\.$/, "");
}

/**
 * Returns the visitor's address: the connection's or, if that is a trusted proxy's, the right-most address of
 * X-Forwarded-For that is not a trusted proxy's. Each proxy appends the address it heard from, so everything further
 * left is untrusted. Returns "unknown" if the connection has no address.
 */
export function clientAddress({ header, peer }: Incoming, trustProxy: TrustProxy): string {
  let address = (peer === undefined ? null : readAddress(peer)) ?? peer ?? "unknown";
  if (trustProxy === false || !trustProxy.includes(peer)) return address;
  for (const entry of (header("x-forwarded-for") ?? "").split(",").reverse()) {
    const stated = readAddress(entry);
    if (stated === null) return address; // "unknown" and the like: the nearest known address stands for it
    address = stated;
    if (!trustProxy.includes(stated)) return address;
  }
  return address;
}

/** Returns whether a request comes from a trusted proxy, so that its X-Forwarded-* and X-Request-Id headers count. */
export function isFromProxy({ peer }: Incoming, trustProxy: TrustProxy): boolean {
  return trustProxy !== false && trustProxy.includes(peer);
}

/** Returns the last entry of a list, which our proxy wrote. Earlier entries come from the client. */
function lastOf(list: string | undefined): string | undefined {
  return list?.split(",").at(-1)?.trim() || undefined;
}
