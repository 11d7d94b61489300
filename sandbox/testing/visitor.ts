import type { TestSandbox } from "./start-test-sandbox.ts";

/** A visitor with a minimal browser: links, forms and cookies. */
export class Visitor {
  readonly #test: Pick<TestSandbox, "call">;
  #cookies: { name: string; value: string; path: string }[] = [];
  /** The current page. */
  url = new URL("http://sandbox.test/");
  status = 0;
  text = "";
  /** Every address of the last call, including redirects and the final one. */
  trail: string[] = [];

  constructor(test: Pick<TestSandbox, "call">) {
    this.#test = test;
  }

  async get(path: string): Promise<this> {
    return this.#go(path, {});
  }

  async post(path: string, fields: Record<string, string> = {}): Promise<this> {
    return this.#go(path, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Origin: "http://sandbox.test" },
    });
  }

  async #go(path: string, init: RequestInit): Promise<this> {
    this.trail = [];
    let target = new URL(path, this.url);
    let request = init;
    for (let hops = 0; hops < 10; hops++) {
      this.trail.push(target.href);
      const cookie = this.#cookies
        .filter((one) => target.pathname.startsWith(one.path))
        .map((one) => `${one.name}=${one.value}`)
        .join("; ");
      const response = await this.#test.call(target.href, {
        ...request,
        headers: { ...request.headers, ...(cookie ? { Cookie: cookie } : {}) },
      });
      for (const line of response.headers.getSetCookie()) this.#keep(line);
      const location = response.headers.get("location");
      if (!location) {
        this.url = target;
        this.status = response.status;
        this.text = await response.text();
        return this;
      }
      target = new URL(location, target);
      if (target.host !== "sandbox.test") throw new Error(`Sent away to ${target.href}`);
      request = {};
    }
    throw new Error("Too many redirects");
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = pair.split("=");
    const path = attributes.find((one) => one.toLowerCase().startsWith("path="))?.slice(5) ?? "/";
    this.#cookies = [...this.#cookies.filter((one) => one.name !== name || one.path !== path), { name, value, path }];
  }

  /** Returns the value of a hidden or text field on the page. */
  field(name: string): string {
    return new RegExp(`name="${name}" value="([^"]*)"`).exec(this.text)?.[1] ?? "";
  }
}

/** Follows a publisher's link to an advertiser. */
export async function clickThrough(
  visitor: Visitor,
  advertiserId: number,
  clickRef: string,
  more = "",
): Promise<Visitor> {
  return visitor.get(`/awin/cread.php?awinmid=${advertiserId}&awinaffid=100001&clickref=${clickRef}${more}`);
}

/** Puts the shop's first product in the basket and buys it. Returns the order's reference. */
export async function buyFirst(visitor: Visitor, more: { voucher?: string; customer?: string } = {}): Promise<string> {
  const shop = visitor.url.pathname.split("/").slice(0, 3).join("/");
  await visitor.post(`${shop}/basket`, { sku: visitor.field("sku") });
  if (more.voucher) await visitor.post(`${shop}/basket/voucher`, { code: more.voucher });
  await visitor.post(`${shop}/orders`, {
    once: visitor.field("once"),
    ...(more.customer ? { customer: more.customer } : {}),
  });
  return /class="reference">([A-Z]+-\d+)</.exec(visitor.text)?.[1] ?? "";
}
