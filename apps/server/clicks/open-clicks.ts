import { createClickRecorder, type ClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import type { ServerParts } from "../server-parts.ts";

/** Opens the click recorder; each commit is timed for the metrics. */
export function openClicks({ db, metrics, closing }: Pick<ServerParts, "db" | "metrics" | "closing">): ClickRecorder {
  const clicks = createClickRecorder({ db });
  closing.push({ name: "click recorder", close: () => clicks.close() });
  return {
    async record(click) {
      const started = performance.now();
      const recorded = await clicks.record(click);
      metrics.click(performance.now() - started);
      return recorded;
    },
    close: () => clicks.close(),
  };
}
