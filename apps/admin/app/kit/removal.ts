import { whySchema } from "@farthing/core/operators/schema.ts";
import { z } from "zod";
import { checkForm, type Faults, type Typed } from "./read-form.ts";

/** The reason for which a record is removed, or what the page asks first: whether, and why (Confirm). */
export type Removal = { why: string } | { isAsked: true; faults?: Faults };

/** Reads a form whose `act` is `remove`. */
export function readRemoval(typed: Typed): Removal {
  if (typed["confirmed"] !== "yes") return { isAsked: true };
  const read = checkForm(typed, z.object({ why: whySchema }));
  return read.ok ? read.value : { isAsked: true, faults: read.faults };
}
