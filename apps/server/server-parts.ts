import type { Server } from "node:http";
import type { CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import type { Config } from "./env.ts";
import type { Logger } from "./monitoring/logger.ts";
import type { Metrics } from "./monitoring/metrics.ts";
import type { OpenedNetworks } from "./networks/open-networks.ts";
import type { StaleReads } from "@farthing/db/stale-reads.ts";
import type { ServerDatabase } from "./process/open-database.ts";
import type { Closing } from "./process/shutdown.ts";

/** What lives as long as the process and both roles use. */
export interface ServerParts extends Pick<ServerDatabase, "db" | "pool" | "sessionPool"> {
  /** Reads what may be some seconds old. */
  readStale: StaleReads;
  config: Config;
  logger: Logger;
  /** Takes each part as it is opened. Parts are closed in reverse order, also when the start fails half-way. */
  closing: Closing[];
  server: Server;
  metrics: Metrics;
  networks: OpenedNetworks;
  cards: CardAccounts;
  now(): Date;
}
