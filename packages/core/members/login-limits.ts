/** How many tries to log in are free, per account and address and per address (reference: product.md S1; figures of the reliability drills). */
export const loginLimits = {
  accountAndAddress: { tries: 5, windowSeconds: 15 * 60 },
  address: { tries: 100, windowSeconds: 60 * 60 },
} as const;

export interface TryCount {
  /** Tries in this window, the present one included. */
  tries: number;
  resetsAt: Date;
}

/** Seconds to wait before the next try, or 0 where this one is free. The owner at another address has a count of their own. */
export function waitSeconds(counts: { accountAndAddress: TryCount; address: TryCount }, now: Date): number {
  const waits = (["accountAndAddress", "address"] as const).map((kind) => {
    const { tries, resetsAt } = counts[kind];
    return tries <= loginLimits[kind].tries ? 0 : Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000));
  });
  return Math.max(...waits);
}

/** What stands for an address in the count: an IPv6 customer has a whole /64, so its parts are one. */
export function countedAddress(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const gap = address.includes("::")
    ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0")
    : [];
  const groups = [...left, ...gap, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
