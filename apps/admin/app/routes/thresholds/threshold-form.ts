import { optionalWhySchema } from "@farthing/core/operators/schema.ts";
import { thresholdOf, type ThresholdKey } from "@farthing/core/thresholds/rules.ts";
import { thresholdField, type ThresholdStatement } from "@farthing/core/thresholds/schema.ts";
import { z } from "zod";
import { checkForm, type Faults, type Typed } from "../../kit/read-form.ts";

export const brandField = (slug: string) => `brand-${slug}`;

/** Returns what core refused, by the form's fields. */
export const thresholdFaults = (faults: Faults): Faults =>
  Object.fromEntries(Object.entries(faults).map(([of, fault]) => [of === "club" ? of : brandField(of), fault]));

type ReadThreshold =
  | { ok: true; statement: ThresholdStatement; version: number; why: string | null }
  | { ok: false; faults: Faults };

/** Reads the form of a threshold. "Back to the default" takes every value away, whatever is typed. */
export function readThreshold(key: ThresholdKey, typed: Typed, brands: readonly { slug: string }[]): ReadThreshold {
  const fields = z.object({
    version: z.coerce.number().int().min(0).catch(-1),
    why: optionalWhySchema,
  });
  const head = checkForm(typed, fields);
  if (!head.ok) return { ok: false, faults: head.faults };
  const { version, why } = head.value;
  const shared = { ok: true, version, why } as const;
  if (typed["act"] === "default") return { ...shared, statement: { club: null, brands: {} } };
  const names = thresholdOf(key).isPerBrand ? brands.map(({ slug }) => brandField(slug)) : [];
  const field = thresholdField(key).optional().default(null);
  const values = checkForm(typed, z.object(Object.fromEntries(["club", ...names].map((name) => [name, field]))));
  if (!values.ok) return { ok: false, faults: values.faults };
  const own = brands.flatMap(({ slug }) => {
    const value = values.value[brandField(slug)];
    return typeof value === "number" ? [[slug, value] as const] : [];
  });
  return { ...shared, statement: { club: values.value["club"] ?? null, brands: Object.fromEntries(own) } };
}
