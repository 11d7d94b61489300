import { describe, expect, test } from "vitest";
import { clientAddress, requestOrigin, type Incoming } from "./request-origin.ts";
import { requestIdOf } from "./request-id.ts";
import { TrustedNetworks } from "./trusted-networks.ts";

const networks = new TrustedNetworks("loopback, 10.1.0.0/16, 2001:db8:77::/48");
const incoming = (peer: string, headers: Record<string, string> = {}): Incoming => ({
  peer,
  header: (name) => ({ host: "shop.example", ...headers })[name],
});
const addressOf = (peer: string, list: string, trusted: TrustedNetworks | false = networks) =>
  clientAddress(incoming(peer, { "x-forwarded-for": list }), trusted);
const originOf = (peer: string, headers: Record<string, string>, trusted: TrustedNetworks | false = networks) =>
  requestOrigin(incoming(peer, headers), { publicScheme: "http", trustProxy: trusted });

describe("S1 the client's address", () => {
  test.each([
    ["a client that forges an entry", "127.0.0.1", "198.51.100.9, 203.0.113.7", "203.0.113.7"],
    ["a client that forges a proxy's address", "127.0.0.1", "10.1.2.3, 203.0.113.7", "203.0.113.7"],
    ["two proxies in a row", "127.0.0.1", "203.0.113.7, 10.1.2.3", "203.0.113.7"],
    ["two proxies in a row and a forged entry", "127.0.0.1", "198.51.100.9, 203.0.113.7, 10.1.2.3", "203.0.113.7"],
    ["three proxies in a row", "10.1.0.1", "203.0.113.7, 2001:db8:77::5, 10.1.2.3", "203.0.113.7"],
    ["a proxy over IPv6", "2001:db8:77::1", "2001:DB8:1::9", "2001:db8:1::9"],
    ["a proxy whose IPv4 arrives inside IPv6", "::ffff:10.1.2.3", "203.0.113.7", "203.0.113.7"],
    ["a proxy that adds ports", "127.0.0.1", "203.0.113.7:51312", "203.0.113.7"],
    ["a proxy that adds ports to IPv6", "127.0.0.1", "[2001:db8:1::9]:51312", "2001:db8:1::9"],
    ["no list", "127.0.0.1", "", "127.0.0.1"],
    ["a list of proxies only", "127.0.0.1", "10.1.9.9, 10.1.2.3", "10.1.9.9"],
    ["an entry that is not an address", "127.0.0.1", "203.0.113.7, unknown", "127.0.0.1"],
    ["an entry that is not an address, behind a proxy", "127.0.0.1", "'; drop table x, 10.1.2.3", "10.1.2.3"],
  ])("S1 %s", (_, peer, list, address) => {
    expect(addressOf(peer, list)).toBe(address);
  });

  test.each(["203.0.113.50", "10.2.0.1", "2001:db8:78::1", "::ffff:203.0.113.50", "unix"])(
    "S1 forwarded headers from an untrusted client at %s are ignored",
    (peer) => {
      const own = peer.replace("::ffff:", "");
      expect(addressOf(peer, "192.0.2.1")).toBe(own);
      const forged = {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-request-id": "chosen-by-me-1",
      };
      expect(originOf(peer, forged)).toBe("http://shop.example");
      expect(requestIdOf(incoming(peer, forged), networks)).not.toBe("chosen-by-me-1");
    },
  );

  test("S1 without named proxies forwarded headers are ignored, even from this machine", () => {
    const forged = {
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      "x-request-id": "chosen-by-me-1",
    };
    expect(addressOf("127.0.0.1", "192.0.2.1", false)).toBe("127.0.0.1");
    expect(originOf("127.0.0.1", forged, false)).toBe("http://shop.example");
    expect(requestIdOf(incoming("127.0.0.1", forged), false)).not.toBe("chosen-by-me-1");
  });

  test("S1 a connection without an address is not trusted", () => {
    const { header } = incoming("", { "x-forwarded-for": "192.0.2.1" });
    expect(clientAddress({ header }, networks)).toBe("unknown");
  });
});

describe("S1 host and scheme", () => {
  test("S1 the last of several hosts is used, because our proxy wrote it", () => {
    expect(originOf("127.0.0.1", { "x-forwarded-host": "evil.example, club.example" })).toBe("http://club.example");
  });

  test("S1 the last of several schemes is used, because our proxy wrote it", () => {
    expect(originOf("127.0.0.1", { "x-forwarded-proto": "http, https" })).toBe("https://shop.example");
    expect(originOf("127.0.0.1", { "x-forwarded-proto": "https, http" })).toBe("http://shop.example");
  });

  test("S1 without X-Forwarded-Host the Host header is used", () => {
    expect(originOf("127.0.0.1", {})).toBe("http://shop.example");
    expect(originOf("127.0.0.1", { "x-forwarded-host": " " })).toBe("http://shop.example");
    expect(originOf("127.0.0.1", { "x-forwarded-host": "club.example/x" })).toBeNull();
  });
});

describe("S1 networks by name and range", () => {
  test.each([
    ["loopback", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"], ["128.0.0.1", "::2", "localhost", ""]],
    ["linklocal", ["169.254.1.1", "fe80::1", "fe80::1%eth0"], ["169.253.1.1", "fec0::1"]],
    [
      "uniquelocal",
      ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.9.9", "fd00::1"],
      ["172.15.255.255", "172.32.0.0", "192.167.0.1", "fe00::1", "11.0.0.0"],
    ],
    ["203.0.113.7", ["203.0.113.7"], ["203.0.113.6", "203.0.113.8"]],
    ["203.0.113.64/26", ["203.0.113.64", "203.0.113.127"], ["203.0.113.63", "203.0.113.128"]],
    ["2001:db8::/33", ["2001:db8:7fff::1"], ["2001:db8:8000::", "2001:db9::"]],
    ["Loopback , 10.0.0.0/8", ["127.0.0.1", "10.255.255.255"], ["11.0.0.0"]],
  ])("S1 %s", (text, inside, outside) => {
    const trusted = new TrustedNetworks(text);
    for (const address of [...inside, ...inside]) expect(trusted.includes(address), address).toBe(true);
    for (const address of [...outside, ...outside]) expect(trusted.includes(address), address).toBe(false);
  });

  test.each([
    "1",
    "true",
    "all",
    "10.0.0.0/33",
    "10.0.0/8",
    "::1/129",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "/8",
    "",
    ",",
    "proxy.example",
    "constructor",
  ])("S1 %j is refused", (text) => {
    expect(() => new TrustedNetworks(text)).toThrow(RangeError);
  });

  test.each(["0.0.0.0/0", "::/0", "loopback,0.0.0.0/0"])("S1 %s would trust anyone and is refused", (text) => {
    expect(() => new TrustedNetworks(text)).toThrow(/every address/);
  });
});
