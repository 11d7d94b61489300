import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { LookupAddress } from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { isPrivateAddress, postWebhook } from "./post-webhook.ts";

/** What reached this machine. */
let received = 0;
const endpoint = createServer((_request, response) => {
  received += 1;
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  endpoint.closeAllConnections();
  endpoint.close();
});
const { port } = endpoint.address() as AddressInfo;

beforeEach(() => {
  received = 0;
});

describe("S1 webhooks reach public addresses only", () => {
  const post = (url: string) => postWebhook({ url, body: "{}", signature: "t=1,v1=x", allowPrivate: false });

  // The first and the last address of each network, then its neighbours.
  test.each([
    ["0.0.0.0", "0.255.255.255", "1.0.0.0"],
    ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
    ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
    ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
    ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
    ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
    ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
    ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
    ["192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
    ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
    ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
    ["198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
    ["203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
    ["224.0.0.0", "255.255.255.255", "223.255.255.255"],
    ["::", "::ffff:ffff"],
    ["64:ff9b::", "64:ff9b:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["100::", "100:0:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
    ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7::1", "2001:db9::"],
    ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"],
    ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff::", "3fff:1000::"],
    ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fe80::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("S1 %s to %s is private, and its neighbours are public", (first, last, ...beside) => {
    expect(isPrivateAddress(first)).toBe(true);
    expect(isPrivateAddress(last)).toBe(true);
    expect(beside.filter(isPrivateAddress)).toEqual([]);
  });
  test.each([
    "169.254.169.254",
    "::1",
    "::ffff:127.0.0.1",
    "::FFFF:10.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "not an address",
    "",
  ])("S1 %s is not public", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });
  test.each(["93.184.216.34", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])("S1 %s is public", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  describe("by name", () => {
    const [here, here6] = [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ];
    const [outside, outside6] = [
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ];

    /**
     * Posts to a name with these addresses, one list for each look-up. Returns where the socket was about to connect;
     * it is destroyed before it does.
     */
    async function attempt(answers: LookupAddress[][], { protocol = "http", portOfUrl = port } = {}) {
      const attempted: string[] = [];
      let lookups = 0;
      const watch = (message: unknown) => {
        const { socket } = message as { socket: Socket };
        socket.on("lookup", (error: Error | null, address: string) => {
          if (error) return;
          attempted.push(address);
          socket.destroy(new Error("ended by the test"));
        });
      };
      subscribe("net.client.socket", watch);
      try {
        const result = await postWebhook({
          url: `${protocol}://hooks.example:${portOfUrl}/hooks`,
          ...{ body: "{}", signature: "t=1,v1=x", allowPrivate: false },
          lookupAll: (_, __, callback) => setImmediate(callback, null, answers[lookups++] ?? []),
        });
        return { attempted, lookups, result };
      } finally {
        unsubscribe("net.client.socket", watch);
      }
    }

    test.each([
      ["private", [here]],
      ["private first", [here, outside]],
      ["private last", [outside, here]],
      ["private in the middle", [outside, here, outside]],
      ["private in the other family", [outside, outside6, here6]],
      ["private, written as the other family", [outside, { address: "::ffff:127.0.0.1", family: 6 }]],
      ["none", []],
    ])("S1 no connection is made to a name whose addresses are: %s", async (_, answers) => {
      for (const protocol of ["http", "https"])
        expect(await attempt([answers], { protocol })).toEqual({
          attempted: [],
          lookups: 1,
          result: { status: null, error: "The address is not a public one." },
        });
    });

    test.each(["http", "https"])(
      "S1 DNS rebinding over %s gains nothing: the socket connects to the checked address, and the name is resolved once",
      async (protocol) => {
        for (const answers of [[outside], [outside6], [outside, outside6]])
          expect(await attempt([answers, [here], [here]], { protocol })).toMatchObject({
            attempted: [answers[0]?.address],
            lookups: 1,
          });
        expect(received).toBe(0);
      },
    );

    test("S1 an unknown name is reported as unknown", async () => {
      const result = await postWebhook({
        url: "https://hooks.example/",
        ...{ body: "{}", signature: "t=1,v1=x", allowPrivate: false },
        lookupAll: (_, __, callback) => setImmediate(callback, Object.assign(new Error(), { code: "ENOTFOUND" }), []),
      });
      expect(result).toEqual({ status: null, error: "ENOTFOUND" });
    });
  });

  test("S1 no connection is made to this machine, by address or by name", async () => {
    for (const host of [
      ...["127.0.0.1", "localhost", "[::1]", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "[::127.0.0.1]"],
      ...["[64:ff9b::7f00:1]", "0.0.0.0", "169.254.169.254", "10.0.0.1"],
    ])
      expect(await post(`http://${host}:${port}/hooks`)).toEqual({
        status: null,
        error: "The address is not a public one.",
      });
    expect(received).toBe(0);
  });
});
