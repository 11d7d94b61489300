import { setTimeout as delay } from "node:timers/promises";
import { faultsOfBooks, ledger, startCardProvider } from "./card-payments.ts";
import type { Drill } from "./drill.ts";
import { startWebProxy, takenOut } from "./haproxy.ts";
import { clicks, pages, telemetry } from "./senders.ts";
import { onOwnServer, portsOf } from "./stand.ts";

export const kill: Drill = {
  name: "kill",
  what: "each of two applications is killed (kill -9) and started again, without a proxy before them",
  needs: [],
  mark: {},
  run: (parts) =>
    onOwnServer(parts, {}, async ({ apps, load, notes }) => {
      for (const app of apps) {
        await app.kill();
        await delay(500);
        await app.start();
        notes.push(`Port ${app.port}, started again: all well after ${await load.untilWell()} ms.`);
      }
    }),
};

export const kills: Drill = {
  name: "kills",
  what: "the only application is killed (kill -9) 20 times under clicks, payments and telemetry",
  needs: [],
  mark: {},
  async run(parts) {
    const times = parts.isSmall ? 3 : 20;
    const provider = await startCardProvider(parts.port + 8);
    try {
      return await onOwnServer(
        parts,
        {
          apps: 1,
          settings: { ...provider.settings, ROLES: "web,collector,worker", TRUST_PROXY: "loopback" },
          senders: async (db) => [
            await clicks(db),
            ledger(await provider.makePayments(db, times * 400)),
            telemetry(),
            pages,
          ],
        },
        async ({ apps: [app], load, db, faults }) => {
          for (let time = 0; time < times; time += 1) {
            // Well into the load, at another moment each time.
            await delay(400 + (time % 5) * 60);
            await app!.kill();
            await app!.start();
          }
          await load.untilWell();
          faults.push(...(await faultsOfBooks(db)));
        },
      );
    } finally {
      await provider.close();
    }
  },
};

export const rolling: Drill = {
  name: "rolling",
  what: "three applications behind HAProxy are restarted one after the other",
  needs: ["haproxy"],
  mark: { failed: 0 },
  async run(parts) {
    const rounds = parts.isSmall ? 1 : 3;
    const [ports, proxyPort] = [portsOf(parts, 3), parts.port + 9];
    const proxy = await startWebProxy(parts.folder, { port: proxyPort, apps: ports });
    try {
      return await onOwnServer(
        parts,
        { apps: 3, proxyPort, settings: { DRAIN_SECONDS: "3", TRUST_PROXY: "loopback", ROLES: "web" } },
        async ({ apps, notes }) => {
          for (let round = 0; round < rounds; round += 1)
            for (const app of apps) {
              await app.stop();
              await app.start();
              await delay(500);
            }
          notes.push(`${rounds * apps.length} restarts.`, ...takenOut(proxy));
        },
      );
    } finally {
      await proxy.stop();
    }
  },
};

export const oneDies: Drill = {
  name: "one-dies",
  what: "one of two applications behind HAProxy is killed (kill -9), three times each",
  needs: ["haproxy"],
  mark: { failed: 0 },
  async run(parts) {
    const rounds = parts.isSmall ? 1 : 3;
    const proxyPort = parts.port + 9;
    const provider = await startCardProvider(parts.port + 8);
    const proxy = await startWebProxy(parts.folder, { port: proxyPort, apps: portsOf(parts, 2) });
    try {
      return await onOwnServer(
        parts,
        {
          proxyPort,
          settings: { ...provider.settings, TRUST_PROXY: "loopback", ROLES: "web,collector" },
          senders: async (db) => [
            await clicks(db),
            ledger(await provider.makePayments(db, rounds * 500)),
            telemetry({ isReplayed: true }),
            pages,
          ],
        },
        async ({ apps, load, db, faults, notes }) => {
          for (let round = 0; round < rounds; round += 1)
            for (const app of apps) {
              await app.kill();
              await app.start();
              await load.untilWell();
            }
          notes.push(`${rounds * apps.length} kills.`, ...takenOut(proxy));
          faults.push(...(await faultsOfBooks(db)));
        },
      );
    } finally {
      await proxy.stop();
      await provider.close();
    }
  },
};
