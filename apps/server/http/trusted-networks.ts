import { BlockList, isIP } from "node:net";
import { LRUCache } from "lru-cache";

/** Names for networks that everyone has; the names and ranges of Express's "trust proxy". */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Answers that are cached: a connection from a proxy asks again with each of its requests. */
const MAX_ANSWERS = 1_000;

/**
 * The networks that proxies of ours speak from. Only what comes from an address in them may say with `X-Forwarded-*` and `X-Request-Id` on
 * whose behalf it asks.
 */
export class TrustedNetworks {
  readonly #ranges = new BlockList();
  readonly #answers = new LRUCache<string, boolean>({ max: MAX_ANSWERS });

  /**
   * @param text addresses, CIDR ranges (IPv4 or IPv6) and the names `loopback`, `linklocal` and `uniquelocal`, separated by commas.
   * @throws RangeError saying which part is no network and why.
   */
  constructor(text: string) {
    const parts = text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    if (parts.length === 0) throw new RangeError("names no networks");
    for (const part of parts)
      for (const range of Object.hasOwn(named, part.toLowerCase()) ? named[part.toLowerCase()]! : [part])
        this.#add(range);
  }

  /** Whether an address, as a socket or a header names it, lies in one of the networks. What is not an address does not. */
  includes(address: string | undefined): boolean {
    if (address === undefined) return false;
    const known = this.#answers.get(address);
    if (known !== undefined) return known;
    const plain = readAddress(address);
    const answer = plain !== null && this.#ranges.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
    this.#answers.set(address, answer);
    return answer;
  }

  #add(range: string): void {
    const [address = "", bits, ...rest] = range.split("/");
    const version = isIP(address);
    const longest = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (version === 0 || rest.length > 0 || prefix < 0 || prefix > longest)
      throw new RangeError(`names "${range}", which is not a network`);
    if (prefix === 0) throw new RangeError(`names ${range}, which is every address there is`);
    this.#ranges.addSubnet(address, prefix, version === 6 ? "ipv6" : "ipv4");
  }
}

/**
 * An IP address as sockets and proxies write it: with or without a port, IPv6 in brackets or not, IPv4 inside IPv6, with a zone.
 * @returns the address alone, IPv4 in its own notation; null where it is none.
 */
export function readAddress(text: string): string | null {
  const trimmed = text.trim();
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/%.*$/, "").toLowerCase();
  if (isIP(address) === 0) return null;
  const inside = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  return inside ?? address;
}
