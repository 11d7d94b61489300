import { listBrandHosts } from "@farthing/core/brands/main-host.server.ts";
import { brandOrigins } from "../brands/brand-origins.ts";
import type { Config } from "../env.ts";
import type { DoctorParts, Finding, FoundDatabase } from "./finding.ts";
import { lookAtBackgroundWork, lookAtBooks, lookAtCardWebhook, lookAtFloats, lookAtNetworks } from "./look-at-club.ts";
import { lookAtBackup } from "./look-at-backup.ts";
import {
  lookAtClock,
  lookAtDatabaseSettings,
  lookAtMigrations,
  lookAtReach,
  lookAtReplication,
} from "./look-at-database.ts";
import { lookAtDisk } from "./look-at-disk.ts";
import { lookAtCertificates, lookAtPublicAddresses } from "./look-at-hosts.ts";
import { lookAtMail } from "./look-at-mail.ts";
import { lookAtSecrets, lookAtSettings } from "./look-at-settings.ts";

/** A check of `npm run doctor`. docs/operations/doctor.md has a row for each. */
export interface Check {
  /** Short, in the first column of the table. */
  name: string;
  /** What has to be there before it can look. */
  needs: "nothing" | "settings" | "database";
  look(parts: DoctorParts, needed: { config: Config; database: FoundDatabase }): Promise<Finding[]> | Finding[];
}

/** Every check, in the order in which faults explain each other. */
export const checks: readonly Check[] = [
  { name: "settings", needs: "nothing", look: ({ variables }) => lookAtSettings(variables) },
  { name: "secrets", needs: "nothing", look: ({ variables }) => lookAtSecrets(variables) },
  { name: "disk", needs: "settings", look: (parts) => lookAtDisk(parts) },
  { name: "database", needs: "settings", look: (parts) => lookAtReach(parts) },
  { name: "clock", needs: "database", look: ({ now }, { database }) => lookAtClock(database, now) },
  {
    name: "database settings",
    needs: "database",
    look: (_parts, { config, database }) => lookAtDatabaseSettings(database, config.databasePoolSize),
  },
  { name: "replication", needs: "database", look: (_parts, { database }) => lookAtReplication(database) },
  { name: "migrations", needs: "database", look: (_parts, { database }) => lookAtMigrations(database) },
  {
    name: "backup",
    needs: "database",
    look: ({ now }, { config, database }) => lookAtBackup(database, { backupDir: config.backupDir, now: now() }),
  },
  {
    name: "certificates",
    needs: "database",
    look: async ({ now }, { config, database }) =>
      lookAtCertificates(await listBrandHosts(database.db, { only: "all" }), { config, now: now() }),
  },
  {
    name: "public address",
    needs: "database",
    look: async (_parts, { config, database }) =>
      lookAtPublicAddresses(await listBrandHosts(database.db, { only: "main" }), {
        config,
        originOf: brandOrigins(config),
      }),
  },
  { name: "mail", needs: "settings", look: (_parts, { config }) => lookAtMail(config) },
  {
    name: "card webhook",
    needs: "database",
    look: ({ now }, { config, database }) => lookAtCardWebhook(database.db, { cards: config, now: now() }),
  },
  {
    name: "networks",
    needs: "database",
    look: ({ now }, { config, database }) =>
      lookAtNetworks(database.db, { slugs: Object.keys(config.networks), now: now() }),
  },
  {
    name: "gift cards",
    needs: "database",
    look: ({ now }, { config, database }) =>
      lookAtFloats(database.db, { slugs: Object.keys(config.issuers), now: now() }),
  },
  {
    name: "background work",
    needs: "database",
    look: ({ now }, { database }) => lookAtBackgroundWork(database.db, now()),
  },
  { name: "books", needs: "database", look: ({ now }, { database }) => lookAtBooks(database.db, now()) },
];
