import { act, type Actor } from "@farthing/core/audit/act.server.ts";
import { findHistory } from "@farthing/core/audit/queries.server.ts";
import type { RecordState } from "@farthing/core/audit/find-state.server.ts";
import type { Permission } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { checkForm, type Faults, type Typed } from "./read-form.ts";
import type { UndoAnswer } from "./undo-history.tsx";
import type { AdminServices } from "../../server/admin-handler.ts";

type Undone =
  | { outcome: "changed" | "unchanged" | "unknown" }
  | { outcome: "refused"; faults: Partial<Record<string, string>> };

/**
 * Answers the post of a history's page: asks first, then writes the values before a change back, as a change of its own with a
 * reason.
 */
export async function undoChange<Values>(
  db: AdminServices["db"],
  actor: Actor,
  typed: Typed,
  how: {
    permission: Permission;
    subject: { type: "offer" | "retailer" | "threshold"; id: string };
    /** The history's page. */
    path: string;
    /** Returns what a change has replaced; null: it can't be undone. */
    oldValues(entry: { before: RecordState | null; after: RecordState | null }): Values | null;
    /**
     * Returns a sentence that says where to make this change instead, if it needs a fuller question than this page asks; null if it
     * can be undone here.
     */
    elsewhere?(values: Values): Promise<string | null>;
    undo(joined: AdminServices["db"], values: Values): Promise<Undone>;
    inWords(faults: Faults): Faults;
  },
) {
  const answer = (posted: UndoAnswer, status = 422) => data<UndoAnswer>(posted, { status });
  const seq = Number(typed["undo"]);
  const entry = (await findHistory(db, how.subject)).find((each) => each.seq === seq);
  const values = entry ? how.oldValues(entry) : null;
  if (values === null) return answer({ ask: null, says: "Choose a change that can be undone." });
  const elsewhere = (await how.elsewhere?.(values)) ?? null;
  if (elsewhere !== null) return answer({ ask: null, says: elsewhere }, 409);
  if (typed["confirmed"] !== "yes") return answer({ ask: seq }, 200);
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return answer({ ask: seq, faults: why.faults });
  const what = {
    permission: how.permission,
    action: `${how.subject.type}.undo`,
    subject: how.subject,
    why: `Undoes entry ${seq}: ${why.value.why}`.slice(0, 500),
    changed: ({ outcome }: Undone) => outcome === "changed",
  } as const;
  const undone = await act(db, actor, what, (joined) => how.undo(joined, values));
  if (undone.outcome === "changed") return redirect(`${how.path}?undone`, 303);
  if (undone.outcome === "refused") return answer({ ask: seq, faults: how.inWords(undone.faults as Faults) });
  return answer({ ask: null, says: "Nothing was changed: the record has those values already." }, 409);
}
