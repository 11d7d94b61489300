import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { makeBrand, makeMember, makeNetwork } from "@farthing/core/ledger/ledger.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";

const { db, url } = await testDatabase();
const CLICKS = 1_000;
const CONNECTIONS = 32;

test("R1 kill -9 of the server during 1,000 clicks loses no acknowledged click and doubles none", async () => {
  const brandId = await makeBrand(db);
  const memberId = await makeMember(db, { brandId });
  const shop = await makeShop(db, { brandId, networkId: await makeNetwork(db) });
  const acknowledged: string[] = [];
  let unanswered = 0;
  let sent = 0;

  while (sent < CLICKS) {
    const server = spawn(
      process.execPath,
      [fileURLToPath(new URL("./go-process.testing.ts", import.meta.url)), url, brandId, memberId],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const killAfter = acknowledged.length + 180; // five or so servers live and die for this
    let dead = false;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (!dead && sent < CLICKS) {
          sent += 1;
          const reference = await follow(agent, Number(line.toString()), shop.offerPublicId);
          if (reference === null) {
            dead = true;
            unanswered += 1;
          } else acknowledged.push(reference);
          if (acknowledged.length >= killAfter && !server.killed) server.kill("SIGKILL");
        }
      }),
    );
    if (!server.killed) server.kill("SIGKILL");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
    agent.destroy();
  }

  const stored = new Set((await db.selectFrom("clicks").select("reference").execute()).map((row) => row.reference));
  expect(unanswered).toBeGreaterThan(0); // the kills did fall among requests in flight
  expect(acknowledged.length).toBeGreaterThan(CLICKS / 2);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(acknowledged.filter((reference) => !stored.has(reference))).toEqual([]);
  expect(stored.size).toBeLessThanOrEqual(CLICKS);
});

/** The reference in the redirect, or null when the server died first. */
function follow(agent: http.Agent, port: number, publicId: string): Promise<string | null> {
  return new Promise((resolve) => {
    const request = http.get({ agent, port, host: "127.0.0.1", path: `/go/offers/${publicId}` }, (response) => {
      response.resume();
      resolve(response.headers.location ? new URL(response.headers.location).searchParams.get("clickref") : null);
    });
    request.on("error", () => resolve(null));
  });
}
