import type { MemberTypeRecord } from "@farthing/core/member-types/edit-member-types.server.ts";
import { proofPlace, samePlaces, type ProofRow } from "@farthing/core/member-types/edit-schema.ts";
import type { Typed } from "../../kit/read-form.ts";
import { rowField } from "./read-rows.ts";

/** The lists of proof as a form: a place for each kind in the column of everyone and of each status. */

export interface ProofKindChoice {
  slug: string;
  name: string;
  isGeneral: boolean;
}

const EVERYONE = "everyone";

/** The columns of the form, the list of everyone first. */
export function columnsOf({ statuses }: Pick<MemberTypeRecord, "statuses">): { status: string | null; name: string }[] {
  return [{ status: null, name: "Everyone" }, ...statuses.map(({ id, name }) => ({ status: id, name }))];
}

export const proofField = ({ kind, status }: Pick<ProofRow, "kind" | "status">) =>
  rowField("proof", kind, status ?? EVERYONE);

/** Returns the kinds that have a place. Faults are added by field, with the words of `nameOf`. */
export function readProofs(
  typed: Typed,
  { nameOf, faults }: { nameOf(field: string): string; faults: Record<string, string> },
): ProofRow[] {
  const rows: ProofRow[] = [];
  for (const [field, value] of Object.entries(typed)) {
    const [of, kind = "", column = ""] = field.split(".");
    if (of !== "proof" || column === "" || !value.trim()) continue;
    const place = proofPlace.safeParse(value.trim());
    if (place.success) rows.push({ kind, status: column === EVERYONE ? null : column, place: place.data });
    else faults[field] = `${nameOf(field)}: ${place.error.issues[0]?.message ?? "Give a whole number."}`;
  }
  for (const { row, earlier } of samePlaces(rows))
    faults[proofField(row)] =
      `${nameOf(proofField(row))}: ${nameOf(proofField(earlier))} has the place ${row.place} already. Give each its own.`;
  return rows;
}

/** Returns what people call each field of the form: "Payslip for Retired". */
export function proofFieldNames(
  type: Pick<MemberTypeRecord, "statuses">,
  kinds: readonly ProofKindChoice[],
): Map<string, string> {
  return new Map(
    kinds.flatMap((kind) =>
      columnsOf(type).map(({ status, name }) => [
        proofField({ kind: kind.slug, status }),
        `${kind.name} for ${status === null ? "everyone" : name}`,
      ]),
    ),
  );
}
