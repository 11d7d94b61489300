import { recordPoolStates } from "@farthing/core/reveals/pool-alarms.server.ts";
import type { saveThreshold } from "@farthing/core/thresholds/operations.server.ts";

type Follow = Parameters<typeof saveThreshold>[1]["follow"];

/** Brings what was stored by a threshold's old value up to date: the alarms of pools of codes. All else reads the value itself. */
export const followThreshold: Follow = async (trx, key, now) => {
  if (key === "pool-low-percent") await recordPoolStates(trx, { now });
};
