import type { OfferForm as OfferValues } from "@farthing/core/catalogue/offers/offer-schema.ts";
import { LongField, SelectField, TextField, TickField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { kindChoices, type OfferChoices } from "./offer-list.tsx";
import { placedFaults, PlacementFields } from "./placement-fields.tsx";

/** The labels of the fields, which also begin the sentences about what is wrong with them. */
export const offerLabels: Record<keyof OfferValues, string> = {
  kind: "Kind",
  title: "Title",
  headline: "Headline",
  description: "Description",
  terms: "Terms",
  exclusions: "Exclusions",
  landingUrl: "Where it leads",
  code: "Code for everybody",
  adultsOnly: "Over-18s only",
  startsAt: "Starts",
  endsAt: "Ends",
  popularity: "Popularity",
  categories: "Categories",
  brands: "Only on these brands",
  variants: "Variants",
};

/** Makes whole sentences of faults that continue one, by the form's names of fields. */
export const offerFaults = (faults: Faults): Faults => placedFaults(faults, offerLabels);

/** Every field of an offer that members see, with what was typed. */
export function OfferFields({
  typed,
  faults,
  choices,
}: {
  typed: Typed;
  faults: Faults | undefined;
  choices: OfferChoices;
}) {
  const field = (name: keyof OfferValues) => ({ name, label: offerLabels[name], typed, faults });
  return (
    <>
      <TextField {...field("title")} help="What a member gets, in one line." max={200} />
      <TextField {...field("headline")} help="In the largest type on the card: 15% off" max={40} isRequired={false} />
      <SelectField {...field("kind")} choices={kindChoices} />
      <TextField {...field("landingUrl")} type="url" help="The retailer’s page." max={2000} />
      <TextField
        {...field("code")}
        help="A pool of codes that are for one member each is filled on its own page."
        max={60}
        isRequired={false}
      />
      <LongField {...field("description")} rows={4} max={10_000} isRequired={false} />
      <LongField {...field("terms")} rows={4} max={10_000} isRequired={false} />
      <LongField {...field("exclusions")} rows={2} max={5_000} isRequired={false} />
      <TextField
        {...field("startsAt")}
        type="datetime-local"
        step={1}
        help="It is shown from then on, once it is published. London’s time."
      />
      <TextField
        {...field("endsAt")}
        type="datetime-local"
        step={1}
        help="It leaves the site then. Empty: it goes on."
        isRequired={false}
      />
      <LongField
        {...field("variants")}
        rows={3}
        help="One a line: the choice that members read, and its own page after “ | ” where it has one."
        isRequired={false}
      />
      <PlacementFields
        labels={offerLabels}
        brandsHelp="Without a tick, every brand shows it that shows its retailer."
        {...{ choices, typed, faults }}
      />
      <TickField {...field("adultsOnly")} />
    </>
  );
}
