import { BlockList, isIP } from "node:net";
import { LRUCache } from "lru-cache";

/** Named networks, with the names and ranges of Express's "trust proxy". */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Answers that are cached: a connection from a proxy asks again with each of its requests. */
const MAX_ANSWERS = 1_000;

/**
 * The networks of our proxies. Only requests from them may state in `X-Forwarded-*` and `X-Request-Id` on whose
 * behalf they come.
 */
export class TrustedNetworks {
  readonly #ranges = new BlockList();
  readonly #answers = new LRUCache<string, boolean>({ max: MAX_ANSWERS });

  /**
   * @param text addresses, CIDR ranges (IPv4 or IPv6) and the names `loopback`, `linklocal` and `uniquelocal`,
   * separated by commas.
   * @throws RangeError that names the part which is not a network, and why.
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

  /**
   * Returns whether an address, as a socket or a header writes it, is in one of the networks; false for text that is
   * not an address.
   */
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
    const maxPrefix = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? maxPrefix : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (version === 0 || rest.length > 0 || prefix < 0 || prefix > maxPrefix)
      throw new RangeError(`names "${range}", which is not a network`);
    if (prefix === 0) throw new RangeError(`names ${range}, which is every address`);
    this.#ranges.addSubnet(address, prefix, version === 6 ? "ipv6" : "ipv4");
  }
}

/**
 * Reads an IP address as sockets and proxies write it: with or without a port, IPv6 in brackets or not, IPv4 inside
 * IPv6, with a zone.
 * @returns the address alone, IPv4 in its own notation; null if it is not an address.
 */
export function readAddress(text: string): string | null {
  const trimmed = text.trim();
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/%.*$/, "").toLowerCase();
  if (isIP(address) === 0) return null;
  const inside = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  return inside ?? address;
}
