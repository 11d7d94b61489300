import type { Db } from "@farthing/db/client.ts";
import { changeLine, findLine } from "./line-row.server.ts";
import { isOverdue, REVERSIBLE_MS, type LineState } from "./rules.ts";

/** `refunded`: the operator has seen the refund at the card provider. */
export type Decision = "issue" | "refund" | "refunded" | "retry";

export type Resolved =
  | { outcome: "resolved"; state: LineState }
  | { outcome: "no-such-line" }
  /** The line's state allows no such decision. */
  | { outcome: "not-now"; state: LineState; why: string }
  | { outcome: "changed-meanwhile" };

/**
 * Decides for a line that waits for a person (G4). A refund goes the saga's way: a card that may exist is taken back
 * first, so that nobody has both.
 */
export async function resolveLine(
  db: Db,
  { publicId, decision, by, now }: { publicId: string; decision: Decision; by: string; now: Date },
): Promise<Resolved> {
  const line = await findLine(db, { publicId });
  if (!line) return { outcome: "no-such-line" };
  const { state, cardState } = line;
  const notNow = (why: string): Resolved => ({ outcome: "not-now", state, why });
  const go = async (to: { state: LineState; reason?: string | null }): Promise<Resolved> => {
    const done = await changeLine(db, line, { ...to, nextStepAt: now, by, now });
    return done ? { outcome: "resolved", state: to.state } : { outcome: "changed-meanwhile" };
  };
  if (decision === "retry") {
    const isOver = state === "refunded" || state === "charged_back";
    if (state === "cancelled" || (isOver && cardState !== "possible")) return notNow("Nothing is left to do.");
    if (state === "issued") return notNow("The card is issued.");
    await db
      .updateTable("gift_card_lines")
      .set({ next_step_at: now })
      .where("id", "=", line.id)
      .where("version", "=", line.version)
      .execute();
    return { outcome: "resolved", state };
  }
  if (decision === "issue" && (line.payment?.isDisputed || line.payment?.isLost))
    return notNow("Its payment is disputed: npm run payments:disputes.");
  if (decision === "issue")
    return state === "held" ? go({ state: "issuing", reason: null }) : notNow("Only a held line can be released.");
  if (decision === "refunded")
    return state === "refunding"
      ? changeLine(db, line, { state: "refunded", nextStepAt: cardState === "possible" ? now : null, by, now }).then(
          (done): Resolved => (done ? { outcome: "resolved", state: "refunded" } : { outcome: "changed-meanwhile" }),
        )
      : notNow("Only a line that is being refunded can be recorded as refunded.");
  if (state === "held") return go({ state: "refunding", reason: "suspected-fraud" });
  if (state === "issuing") return go({ state: cardState === "none" ? "refunding" : "reversing", reason: "complaint" });
  if (state !== "issued") return notNow("It is not paid, or its refund is under way already.");
  if (isOverdue(line.issuedAt, REVERSIBLE_MS, now)) return notNow("The issuer reverses cards within 48 hours only.");
  return go({ state: "reversing", reason: "complaint" });
}
