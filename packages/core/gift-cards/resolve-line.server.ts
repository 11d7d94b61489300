import type { Db } from "@farthing/db/client.ts";
import { changeLine, findLine, type LineRow } from "./line-row.server.ts";
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
  const refusal = refusalOf(line, decision, now);
  if (refusal !== null) return { outcome: "not-now", state, why: refusal };
  const go = async (to: { state: LineState; reason?: string | null; nextStepAt?: Date | null }): Promise<Resolved> => {
    const done = await changeLine(db, line, { nextStepAt: now, ...to, by, now });
    return done ? { outcome: "resolved", state: to.state } : { outcome: "changed-meanwhile" };
  };
  switch (decision) {
    case "retry": {
      const { numUpdatedRows } = await db
        .updateTable("gift_card_lines")
        .set({ next_step_at: now })
        .where("id", "=", line.id)
        .where("version", "=", line.version)
        .executeTakeFirst();
      return numUpdatedRows > 0n ? { outcome: "resolved", state } : { outcome: "changed-meanwhile" };
    }
    case "issue":
      return go({ state: "issuing", reason: null });
    case "refunded":
      return go({ state: "refunded", nextStepAt: cardState === "possible" ? now : null });
    case "refund":
      if (state === "held") return go({ state: "refunding", reason: "suspected-fraud" });
      if (state === "issuing" && cardState === "none") return go({ state: "refunding", reason: "complaint" });
      return go({ state: "reversing", reason: "complaint" });
  }
}

/** Returns why a line can't be decided so now, in words; null: it can. */
export function refusalOf(line: LineRow, decision: Decision, now: Date): string | null {
  const { state, cardState, payment } = line;
  switch (decision) {
    case "retry": {
      const isOver = state === "refunded" || state === "charged_back";
      if (state === "cancelled" || (isOver && cardState !== "possible")) return "Nothing is left to do.";
      return state === "issued" ? "The card is issued." : null;
    }
    case "issue":
      if (payment?.isDisputed || payment?.isLost) return "Its payment is disputed: see the command payments:disputes.";
      return state === "held" ? null : "Only a held line can be released.";
    case "refunded":
      return state === "refunding" ? null : "Only a line that is being refunded can be recorded as refunded.";
    case "refund":
      if (state === "held" || state === "issuing") return null;
      if (state !== "issued") return "It is not paid, or its refund is under way already.";
      return isOverdue(line.issuedAt, REVERSIBLE_MS, now) ? "The issuer reverses cards within 48 hours only." : null;
  }
}
