import type { NetworkSlug } from "./shops.ts";

/** The sandbox's control API: what the networks and their retailers do. */
export interface NetworksConsole {
  record(sale: {
    network: NetworkSlug;
    advertiserId: number;
    salePence: number;
    clickRef: string | null;
    orderRef: string;
    clickedAt: Date;
    transactedAt: Date;
    currency: string;
    push: boolean;
  }): Promise<number>;
  /** Decides on a transaction; `pay` is the network's own payment. */
  move(
    id: number,
    move: "approve" | "decline" | "amend" | "pay" | "lose-clickref" | "push",
    details?: { salePence?: number; reason?: string },
  ): Promise<void>;
  scenario(networks: Readonly<Record<string, unknown>>): Promise<void>;
  /** Sets what is wrong with the pushes of all networks. */
  switches(switches: Readonly<Record<string, unknown>>): Promise<void>;
  releaseNewestFirst(): Promise<number>;
  forge(network: "awin" | "rakuten" | "impact", fields?: Readonly<Record<string, string>>): Promise<void>;
  pushesSettled(): Promise<void>;
}

export function networksConsole(sandboxUrl: string): NetworksConsole {
  async function call(method: "POST" | "PUT", path: string, body: unknown = {}): Promise<Record<string, unknown>> {
    const response = await fetch(`${sandboxUrl}/control${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${path}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
  return {
    async record(sale) {
      const { id } = await call("POST", "/transactions", sale);
      return Number(id);
    },
    async move(id, move, details = {}) {
      await call("POST", `/transactions/${id}/${move}`, details);
    },
    async scenario(networks) {
      await call("PUT", "/scenario", { networks });
    },
    async switches(switches) {
      await call("PUT", "/switches", switches);
    },
    async releaseNewestFirst() {
      const { released } = await call("POST", "/pushes/release", { order: "newest first" });
      return Number(released);
    },
    async forge(network, fields = {}) {
      await call("POST", network === "awin" ? "/pushes/forge" : `/networks/${network}/pushes/forge`, fields);
    },
    async pushesSettled() {
      await call("POST", "/pushes/settle");
    },
  };
}
