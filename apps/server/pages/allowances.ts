import { countedAddress } from "@farthing/core/sign-in/counted-address.ts";
import { LRUCache } from "lru-cache";

export interface AllowanceOptions {
  /** What one address may do at once. */
  burst: number;
  /** What comes back each second. */
  perSecond: number;
  /** Addresses that are remembered; whoever has more of them is bound by other limits than these. */
  maxAddresses?: number;
  /** Monotonic, in milliseconds. */
  now?: () => number;
}

export interface Allowances {
  /** Takes one from the allowance of an address (of a /64, for IPv6). Returns 0, or the whole seconds until there is one. */
  take(address: string): number;
  readonly size: number;
}

/** What each network address may do: a bucket of `burst` that fills by `perSecond`. Kept in this process, for as many addresses as there is room for. */
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
