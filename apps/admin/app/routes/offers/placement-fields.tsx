import { BoxesField, TextField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { choicesOf, type OfferChoices } from "./offer-list.tsx";

interface Labels {
  categories: string;
  brands: string;
  popularity: string;
}

/** Names of fields of the form, where they differ from core's. */
const names: Partial<Record<string, string>> = { categories: "category", brands: "brand" };

/** Where an offer or a retailer is shown, and how far up. */
export function PlacementFields({
  labels,
  brandsHelp,
  choices,
  typed,
  faults,
}: {
  labels: Labels;
  brandsHelp: string;
  choices: Pick<OfferChoices, "categories" | "brands">;
  typed: Typed;
  faults: Faults | undefined;
}) {
  return (
    <>
      <BoxesField
        name="category"
        label={labels.categories}
        choices={choicesOf(choices.categories)}
        values={[]}
        {...{ typed, faults }}
      />
      <BoxesField
        name="brand"
        label={labels.brands}
        help={brandsHelp}
        choices={choicesOf(choices.brands)}
        values={[]}
        {...{ typed, faults }}
      />
      <TextField
        name="popularity"
        label={labels.popularity}
        inputMode="numeric"
        help="Higher is shown first, up to 1000000."
        max={7}
        isRequired={false}
        {...{ typed, faults }}
      />
    </>
  );
}

/** Makes whole sentences of faults that continue one (core/catalogue-imports/field-schema.ts), by the form's names of fields. */
export function placedFaults(faults: Faults, labels: Readonly<Record<string, string>>): Faults {
  return Object.fromEntries(
    Object.entries(faults).map(([name, fault]) => [
      names[name] ?? name,
      labels[name] && /^[a-z]/.test(fault) ? `${labels[name]} ${fault}.` : fault,
    ]),
  );
}
