import { countedAddress } from "@farthing/core/sign-in/counted-address.ts";
import { LRUCache } from "lru-cache";

export interface AllowanceOptions {
  /** Requests that one address may make at once. */
  burst: number;
  /** Requests that are added to an allowance each second. */
  perSecond: number;
  /** Maximum number of addresses that are tracked. An attacker with more of them meets other limits. */
  maxAddresses?: number;
  /** Monotonic, in milliseconds. */
  now?: () => number;
}

export interface Allowances {
  /**
   * Takes one from the allowance of an address (of a /64, for IPv6). Returns 0, or the whole seconds until one
   * is available.
   */
  take(address: string): number;
  readonly size: number;
}

/**
 * Creates a token bucket of `burst` per network address, refilled by `perSecond`. Held in this process, for the
 * addresses seen last.
 */
export function createAllowances({
  burst,
  perSecond,
  maxAddresses = 10_000,
  now = () => performance.now(),
}: AllowanceOptions): Allowances {
  const known = new LRUCache<string, { left: number; at: number }>({ max: maxAddresses });
  return {
    take(address) {
      const key = countedAddress(address);
      const at = now();
      const last = known.get(key);
      const left = last ? Math.min(burst, last.left + ((at - last.at) / 1000) * perSecond) : burst;
      const isEnough = left >= 1;
      known.set(key, { left: isEnough ? left - 1 : left, at });
      return isEnough ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond));
    },
    get size() {
      return known.size;
    },
  };
}
