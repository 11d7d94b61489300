import type { Db } from "@farthing/db/client.ts";

/** The container that the sandbox's tag manager answers to. */
const CONTAINER = "GTM-DEMO";

/**
 * Points the demo brands at the sandbox's tag manager and engagement provider, at PORT+1 of this machine, so that both can be tried (T4, T5). A brand
 * with an address elsewhere keeps it.
 */
export async function seedTracking(db: Db, { port }: { port: number }): Promise<void> {
  const engagementScript = `http://localhost:${port + 1}/engagement/worker.js`;
  const brands = await db.selectFrom("brands").select(["id", "tracking"]).execute();
  for (const { id, tracking } of brands) {
    const { tagManager, engagementScript: own } = tracking as { tagManager?: unknown; engagementScript?: unknown };
    const isTheirs = (tagManager !== undefined && tagManager !== CONTAINER) || own === null;
    if (isTheirs || (typeof own === "string" && !own.startsWith("http://localhost:"))) continue;
    if (own === engagementScript) continue;
    await db
      .updateTable("brands")
      .set({ tracking: JSON.stringify({ tagManager: CONTAINER, engagementScript }) })
      .where("id", "=", id)
      .execute();
  }
}
