/** The headers of a request that say where it was sent and by whom, whatever carries them. */
export type HeaderReader = (name: string) => string | undefined;

export interface OriginOptions {
  publicScheme: "http" | "https";
  trustProxy: boolean;
}

/** A name or address with an optional port. Anything else in a Host header is an attack or a mistake. */
const wellFormedHost = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Scheme, host and port the visitor used, or null where the Host header is missing or malformed. The scheme is the configured one: what a
 * client claims about it is not believed.
 */
export function requestOrigin(header: HeaderReader, options: OriginOptions): string | null {
  const forwarded = options.trustProxy ? lastOf(header("x-forwarded-host")) : undefined;
  const host = (forwarded ?? header("host") ?? "").toLowerCase();
  if (!wellFormedHost.test(host)) return null;
  const scheme = options.trustProxy && lastOf(header("x-forwarded-proto")) === "https" ? "https" : options.publicScheme;
  return `${scheme}://${host}`;
}

/** The host of an origin without its port, as brands are looked up by. */
export function hostnameOf(origin: string): string {
  const host = origin.slice(origin.indexOf("//") + 2);
  return host.replace(/:\d+$/, "").replace(/\.$/, "");
}

/** The visitor's address: the last entry our own proxy added where we trust one, else the connection's. */
export function clientAddress(
  header: HeaderReader,
  connectionAddress: string | undefined,
  trustProxy: boolean,
): string {
  const address = (trustProxy ? lastOf(header("x-forwarded-for")) : undefined) ?? connectionAddress ?? "unknown";
  return address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
}

// Earlier entries were written by the client; only the last one is our proxy's.
function lastOf(list: string | undefined): string | undefined {
  return list?.split(",").at(-1)?.trim() || undefined;
}
