import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { Db } from "@farthing/db/client.ts";
import { faultsOfBooks, ledger, startCardProvider } from "./card-payments.ts";
import type { Drill } from "./drill.ts";
import { isOpen } from "./haproxy.ts";
import { startProgram } from "./program-process.ts";
import { clicks, pages } from "./senders.ts";
import { withServer, withStand } from "./stand.ts";

const AWAY_SECONDS = 30;
/** A mail that failed is tried again after a minute, and a network's report at least once a minute. */
const BACK_WITHIN_MS = 90_000;

const SANDBOX = fileURLToPath(new URL("../../sandbox/main.ts", import.meta.url));

export const providersAway: Drill = {
  name: "providers-away",
  what: `mail server, card provider and networks are away for ${AWAY_SECONDS} seconds while members want what needs them`,
  needs: [],
  mark: { outageSeconds: 5 },
  run: (parts) =>
    withServer(parts, async (server, home) => {
      const { port } = parts;
      const networks = { AWIN_API_URL: `http://localhost:${port + 1}/awin`, AWIN_POLL_SECONDS: "3" };
      const startSandbox = () =>
        startProgram(process.execPath, [SANDBOX], {
          env: {
            ...process.env,
            ...{ SANDBOX_PORT: String(port + 1), SANDBOX_SMTP_PORT: String(port + 2), DATA_DIR: home },
            ...{
              CATALOGUE_DIR: join(home, "catalogue"),
              AWIN_API_TOKEN: "development-token",
              AWIN_PUBLISHER_ID: "100001",
            },
          },
          isUp: () => isOpen(port + 1),
        });
      const provider = await startCardProvider(port + 8);
      let sandbox = await startSandbox();
      try {
        return await withStand(
          parts,
          {
            apps: 1,
            settings: {
              ...{ ...provider.settings, ...networks, SMTP_URL: `smtp://localhost:${port + 2}` },
              ...{ AWIN_API_TOKEN: "development-token", AWIN_PUBLISHER_ID: "100001" },
              ...{ DATABASE_URL: server.url, DATA_DIR: home, ROLES: "web,worker", TRUST_PROXY: "loopback" },
            },
            urlOf: async () => server.url,
            senders: async (db) => [await clicks(db), ledger(await provider.makePayments(db, 20_000)), pages],
          },
          async ({ db, load, notes, faults }) => {
            await sandbox.kill();
            await provider.close();
            const away = performance.now();
            const asked = await askForMails(db, port);
            await delay((parts.isSmall ? 5 : AWAY_SECONDS) * 1_000 - (performance.now() - away));
            const during = load.peek();
            const unpaid = during.statuses.get(503) ?? 0;
            const others = during.failed - unpaid;
            notes.push(
              `While away: ${during.requests} requests, of which ${unpaid} webhooks got 503 for later and ${others} others failed; ${asked} mails were asked for, and each request was answered as usual.`,
            );
            if (others > 0) faults.push(`${others} requests failed that need no provider.`);
            sandbox = await startSandbox();
            await provider.open();
            const back = performance.now();
            while ((await waitingMails(db)) > 0 || (await hasFailingNetwork(db))) {
              if (performance.now() - back > BACK_WITHIN_MS) {
                faults.push("Mails or networks have not recovered.");
                break;
              }
              await delay(200);
            }
            notes.push(
              `Mails were sent and Awin's report read ${Math.round((performance.now() - back) / 1000)} s after their return.`,
            );
            await load.untilWell();
            faults.push(...(await faultsOfBooks(db)));
          },
        );
      } finally {
        await sandbox.stop();
        await provider.close();
      }
    }),
};

/** Asks for a link to a new password for the demo accounts, as members do. Returns how many mails that makes. */
async function askForMails(db: Db, port: number): Promise<number> {
  const { rows } = await sql<{ email: string }>`
    select email from members join brands on brands.id = members.brand_id and is_default where email like '%.example' order by email limit 3`.execute(
    db,
  );
  const origin = `http://localhost:${port}`;
  for (const { email } of rows) {
    const answer = await fetch(`${origin}/forgotten-password`, {
      method: "POST",
      redirect: "manual",
      headers: { origin, "content-type": "application/x-www-form-urlencoded" },
      body: String(new URLSearchParams({ email })),
    });
    if (answer.status >= 400) throw new Error(`A member who forgot the password was answered ${answer.status}`);
  }
  return rows.length;
}

async function waitingMails(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from mails where state = 'waiting') + (select count(*) from password_reset_requests where given_up_at is null) as count`.execute(
    db,
  );
  return rows[0]!.count;
}

/** Whether the last reading of Awin's report failed. */
async function hasFailingNetwork(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isFailing: boolean }>`
    select last_error is not null as "isFailing" from network_passes p join networks n on n.id = p.network_id where n.slug = 'awin'`.execute(
    db,
  );
  return rows.some(({ isFailing }) => isFailing);
}
