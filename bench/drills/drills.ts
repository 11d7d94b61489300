import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { databaseAway } from "./away.ts";
import { clock } from "./clock.ts";
import { connections, disk, postmaster, restart } from "./database-faults.ts";
import type { Drill } from "./drill.ts";
import { failover } from "./failover.ts";
import { providersAway } from "./providers-away.ts";
import { pooler } from "./pooler.ts";
import { kill, kills, oneDies, rolling } from "./process-faults.ts";
import { upgrade } from "./upgrade.ts";
import { webhooks } from "./webhooks.ts";

/** Every drill, in the order of docs/operations/drills.md. */
export const drills: readonly Drill[] = [
  ...[connections, restart, postmaster, disk, databaseAway, providersAway],
  ...[kill, kills, oneDies, rolling],
  ...[webhooks, pooler, failover, clock, upgrade],
];

/** A drill that is a program of its own: it prints its figures, and its exit code says whether it was passed. */
export interface DrillProgram {
  name: string;
  what: string;
  file: string;
}

const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Every drill of its own; "restore" where this checkout has it. */
export const drillPrograms: readonly DrillProgram[] = [
  {
    name: "telemetry",
    what: "the collector is killed (kill -9) five times under 2,000 events a second",
    file: fileAt("../telemetry/drill.ts"),
  },
  { name: "restore", what: "an installation is destroyed and restored from its backup", file: fileAt("restore.ts") },
].filter(({ file }) => existsSync(file));
