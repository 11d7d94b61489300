import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { readAddress, type TrustedNetworks } from "./trusted-networks.ts";

/** Reads a header of a request by its name, whatever carries it. */
export type HeaderReader = (name: string) => string | undefined;

/** What a request says of itself, and the address at the other end of its connection, which no header can forge. */
export interface Incoming {
  header: HeaderReader;
  peer?: string | undefined;
}

/** Whose forwarded headers are believed; false where no proxy stands in front. */
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

/** A name or address with an optional port. Anything else in a Host header is an attack or a mistake. */
const wellFormedHost = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Scheme, host and port the visitor used, or null where the Host header is missing or malformed. The scheme is the configured one, unless a
 * trusted proxy says https: what a client claims about it is not believed.
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

/** The host of an origin without its port, as brands are looked up by. */
export function hostnameOf(origin: string): string {
  const host = origin.slice(origin.indexOf("//") + 2);
  return host.replace(/:\d+$/, "").replace(/\.$/, "");
}

/**
 * The visitor's address: the connection's, or, where that is a trusted proxy's, the right-most address of X-Forwarded-For that is not itself a
 * trusted proxy's. Each proxy adds to the right whom it heard from, so everything further left was written by somebody who is not trusted.
 * "unknown" where the connection has no address.
 */
export function clientAddress({ header, peer }: Incoming, trustProxy: TrustProxy): string {
  let address = (peer === undefined ? null : readAddress(peer)) ?? peer ?? "unknown";
  if (trustProxy === false || !trustProxy.includes(peer)) return address;
  for (const entry of (header("x-forwarded-for") ?? "").split(",").reverse()) {
    const stated = readAddress(entry);
    if (stated === null) return address; // "unknown" and the like: the nearest address that is known stands for it
    address = stated;
    if (!trustProxy.includes(stated)) return address;
  }
  return address;
}

/** Whether a request comes from a proxy of ours, so that its X-Forwarded-* and X-Request-Id headers count. */
export function isFromProxy({ peer }: Incoming, trustProxy: TrustProxy): boolean {
  return trustProxy !== false && trustProxy.includes(peer);
}

// Earlier entries were written by the client; only the last one is our proxy's.
function lastOf(list: string | undefined): string | undefined {
  return list?.split(",").at(-1)?.trim() || undefined;
}
