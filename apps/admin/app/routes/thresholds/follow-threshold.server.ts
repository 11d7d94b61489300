import { recordPoolStates } from "@farthing/core/reveals/pool-alarms.server.ts";
import type { ThresholdKey } from "@farthing/core/thresholds/rules.ts";
import type { Trx } from "@farthing/db/client.ts";

/** Brings what was stored by a threshold's old value up to date: the alarms of pools of codes. All else reads the value itself. */
export async function followThreshold(trx: Trx, key: ThresholdKey, now: Date): Promise<void> {
  if (key === "pool-low-percent") await recordPoolStates(trx, { now });
}
