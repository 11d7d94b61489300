import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import {
  certificateFinding,
  isPublicName,
  lookAtCertificates,
  lookAtPublicAddresses,
  RENEW_DAYS,
  showCertificate,
} from "./look-at-hosts.ts";

const now = new Date("2026-11-20T12:00:00Z");
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const config = { environment: "production", publicScheme: "https" } as const;
const openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].find((file) => {
  try {
    return execFileSync(file, ["version"], { stdio: "pipe" }).length > 0;
  } catch {
    return false;
  }
});

describe("certificates", () => {
  test("S1 days left decide: two weeks are enough, three days are a fault", () => {
    const level = (days: number) => certificateFinding("club.uk", { validTo: inDays(days), refusal: null }, now).level;
    expect([RENEW_DAYS, RENEW_DAYS - 0.01, 3, 2.99, 0, -0.01].map(level)).toEqual([
      "ok",
      "look",
      "look",
      "wrong",
      "wrong",
      "wrong",
    ]);
  });

  test("S1 what browsers refuse and what does not answer are faults of the host that is named", () => {
    const refused = certificateFinding("club.uk", { validTo: inDays(60), refusal: "it is for another name" }, now);
    expect(refused).toMatchObject({ level: "wrong", says: expect.stringMatching(/club\.uk.*another name/) as string });
    expect(certificateFinding("club.uk", { validTo: null, refusal: null }, now)).toMatchObject({ level: "wrong" });
  });

  test("S1 each host of every brand is asked; local names, plain http and development are left out in words", async () => {
    const asked: string[] = [];
    const show = (host: string) => {
      asked.push(host);
      return Promise.resolve({ validTo: host === "late.uk" ? inDays(5) : inDays(60), refusal: null });
    };
    const hosts = ["club.localhost", "club.uk", "10.0.0.7", "late.uk"];
    expect(await lookAtCertificates(hosts, { config, now, show })).toMatchObject([
      { level: "look", says: "The certificate of late.uk ends in 5 days." },
    ]);
    expect(asked).toEqual(["club.uk", "late.uk"]);
    expect(await lookAtCertificates(hosts.slice(0, 2), { config, now, show })).toMatchObject([
      { level: "ok", says: expect.stringContaining("1 local name left out") as string },
    ]);
    for (const other of [
      { ...config, publicScheme: "http" as const },
      { ...config, environment: "dev" as const },
    ])
      expect(await lookAtCertificates(hosts, { config: other, now, show })).toMatchObject([
        { level: "ok", says: expect.stringContaining("Not looked at") as string },
      ]);
    expect(asked).toHaveLength(3);
  });

  test("S1 a name is public with a dot and a registrable end", () => {
    expect(["club.uk", "www.club.co.uk"].every(isPublicName)).toBe(true);
    for (const name of ["localhost", "a.localhost", "club.test", "intranet", "db.internal", "127.0.0.1", "::1"])
      expect(isPublicName(name), name).toBe(false);
  });

  test.skipIf(openssl === undefined)(
    "S1 the certificate of a real server is read: whose it is, and until when",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "farthing-doctor-"));
      const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
      const subject = ["-subj", "/CN=club.uk", "-addext", "subjectAltName=DNS:club.uk"];
      execFileSync(
        openssl ?? "",
        ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "40", ...subject, "-keyout", key, "-out", cert],
        { stdio: "ignore" },
      );
      const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const own = await showCertificate("club.uk", port, "127.0.0.1");
        expect(own.refusal).toBe("it is signed by itself");
        // As the certificate has it: openssl has made it by the machine's clock, which a test's may not be.
        expect(own.validTo).toEqual(new X509Certificate(readFileSync(cert)).validToDate);
      } finally {
        await new Promise((resolve) => server.close(resolve));
        rmSync(folder, { recursive: true });
      }
      expect(await showCertificate("club.uk", port, "127.0.0.1")).toEqual({ validTo: null, refusal: null });
    },
  );
});

describe("public address", () => {
  const server = createHttpServer((request, answer) => {
    if (request.headers.host?.startsWith("127.0.0.3")) return answer.writeHead(301, { location: "/elsewhere" }).end();
    if (request.headers.host?.startsWith("127.0.0.2")) return answer.end("<p>A parked page</p>");
    const isDown = request.headers.host?.startsWith("127.0.0.4") === true || request.url !== "/manifest.webmanifest";
    answer.writeHead(isDown ? 503 : 200, { "content-type": "application/manifest+json" }).end("{}");
  });
  const listening = new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  afterAll(() => server.close());
  const look = async (hosts: string[]) => {
    await listening;
    const { port } = server.address() as AddressInfo;
    // Each host is an address of this machine of its own.
    const addresses: Record<string, string> = {
      "club.uk": "127.0.0.1",
      "other.uk": "127.0.0.2",
      "moved.uk": "127.0.0.3",
      "down.uk": "127.0.0.4",
    };
    const originOf = (host: string) => `http://${addresses[host]}:${port}`;
    return lookAtPublicAddresses(hosts, { config, originOf });
  };

  test("P6 a brand whose manifest comes back is in order", async () => {
    expect(await look(["club.uk"])).toMatchObject([{ level: "ok" }]);
  });

  test("P6 a parked page, a redirect and silence are faults that name the host", async () => {
    expect(await look(["club.uk", "other.uk", "moved.uk", "down.uk"])).toMatchObject([
      { level: "wrong", says: expect.stringMatching(/at other\.uk, moved\.uk, down\.uk\./) as string },
    ]);
    const silent = await lookAtPublicAddresses(["club.uk"], { config, originOf: () => "http://127.0.0.1:1" });
    expect(silent).toMatchObject([{ level: "wrong" }]);
  });

  test("P6 without a public host there is advice, in development nothing is asked", async () => {
    expect(await look(["club.localhost"])).toMatchObject([{ level: "look" }]);
    const ask = () => Promise.reject(new Error("was asked"));
    const found = await lookAtPublicAddresses(["club.uk"], { config: { environment: "dev" }, originOf: String, ask });
    expect(found).toMatchObject([{ level: "ok", says: expect.stringContaining("Not looked at") as string }]);
  });
});
