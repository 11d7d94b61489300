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
  /** A retailer answers the claim about an order at its network's own API; with words, it declines. */
  answerClaim(network: NetworkSlug, order: string, words: string | null): Promise<void>;
}

/** How the club's accounts at the networks that take claims are opened. */
export interface Accounts {
  IMPACT_ACCOUNT_SID: string;
  IMPACT_AUTH_TOKEN: string;
  PARTNERIZE_PUBLISHER_ID: string;
  PARTNERIZE_APPLICATION_KEY: string;
  PARTNERIZE_USER_API_KEY: string;
}

export function networksConsole(sandboxUrl: string, accounts: Accounts): NetworksConsole {
  const basic = (name: string, key: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${key}`).toString("base64")}`,
  });
  async function send(url: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(url, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${url}: ${text}`);
    return JSON.parse(text);
  }
  async function answerAtImpact(order: string, words: string | null): Promise<void> {
    const headers = basic(accounts.IMPACT_ACCOUNT_SID, accounts.IMPACT_AUTH_TOKEN);
    const own = `${sandboxUrl}/impact/Mediapartners/${accounts.IMPACT_ACCOUNT_SID}/ActionInquiries`;
    const listed = (await send(own, { headers })) as { ActionInquiries: { Id: string; OrderId: string }[] };
    const inquiry = listed.ActionInquiries.findLast(({ OrderId }) => OrderId === order);
    if (!inquiry) throw new Error(`No inquiry about ${order} came to Impact.`);
    await send(`${sandboxUrl}/impact/Advertisers/${accounts.IMPACT_ACCOUNT_SID}/ActionInquiries`, {
      method: "PUT",
      headers,
      body: new URLSearchParams({
        ...{ Id: String(inquiry.Id), ResolutionStatus: words === null ? "VALID" : "DECLINED" },
        RejectReason: words ?? "",
      }),
    });
  }
  async function answerAtPartnerize(order: string, words: string | null): Promise<void> {
    const headers = basic(accounts.PARTNERIZE_APPLICATION_KEY, accounts.PARTNERIZE_USER_API_KEY);
    const own = `${sandboxUrl}/partnerize/user/publisher/${accounts.PARTNERIZE_PUBLISHER_ID}/tq`;
    const listed = (await send(`${own}?conversion_reference=${order}`, { headers })) as {
      transaction_queries: { transaction_query: { transaction_query_id: string } }[];
    };
    const query = listed.transaction_queries.at(-1)?.transaction_query;
    if (!query) throw new Error(`No query about ${order} came to Partnerize.`);
    await send(`${own}/${query.transaction_query_id}/state`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ state: words === null ? "approved" : "rejected", notes: words ?? "" }),
    });
  }

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
    async answerClaim(network, order, words) {
      if (network === "impact") await answerAtImpact(order, words);
      else await answerAtPartnerize(order, words);
    },
    async pushesSettled() {
      await call("POST", "/pushes/settle");
    },
  };
}
