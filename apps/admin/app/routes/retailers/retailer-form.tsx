import type { RetailerForm as RetailerValues } from "@farthing/core/catalogue/retailers/retailer-schema.ts";
import { LongField, SelectField, TextField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { choicesOf } from "../offers/offer-list.tsx";
import { placedFaults, PlacementFields } from "../offers/placement-fields.tsx";
import type { RetailerChoices } from "./retailer-choices.server.ts";
import { statusChoices } from "./retailer-list.tsx";

/** The labels of the fields, which also begin the sentences about what is wrong with them. */
export const retailerLabels: Record<keyof RetailerValues, string> = {
  name: "Name",
  status: "State",
  shortInfo: "In short",
  longInfo: "At length",
  terms: "Terms of the cashback",
  homepageUrl: "Home page",
  tracksMin: "Tracks after, days at least",
  tracksMax: "Tracks after, days at most",
  confirmsMin: "Confirms after, days at least",
  confirmsMax: "Confirms after, days at most",
  confirmsAfter: "Days count from",
  acceptsClaims: "Accepts claims",
  adultsOnly: "Over-18s only",
  popularity: "Popularity",
  mainCategory: "Main category",
  categories: "Categories",
  brands: "Shown by",
};

/** Makes whole sentences of faults that continue one, by the form's names of fields. */
export const retailerFaults = (faults: Faults): Faults => placedFaults(faults, retailerLabels);

const afterChoices = [
  { value: "purchase", label: "the purchase" },
  { value: "travel", label: "the journey" },
  { value: "stay", label: "the stay" },
];

const stateHelp =
  "Paused: its offers and cashback stop and its gift cards are sold. In administration: gift cards stop too, and members who have unused ones are told. Closed: the same, and its page says that it has closed. What members have earned stays.";

/** Every field of a retailer that members see, with what was typed. */
export function RetailerFields({
  typed,
  faults,
  choices,
}: {
  typed: Typed;
  faults: Faults | undefined;
  choices: RetailerChoices;
}) {
  const field = (name: keyof RetailerValues) => ({ name, label: retailerLabels[name], typed, faults });
  const box = (name: "acceptsClaims" | "adultsOnly") => (
    <label>
      <input type="checkbox" id={name} name={name} value="yes" defaultChecked={typed[name] === "yes"} />{" "}
      {retailerLabels[name]}
    </label>
  );
  return (
    <>
      <TextField {...field("name")} max={80} />
      <SelectField {...field("status")} help={stateHelp} choices={statusChoices} />
      <TextField {...field("homepageUrl")} type="url" max={2000} />
      <LongField {...field("shortInfo")} help="On cards, and at the top of its page." max={400} isRequired={false} />
      <LongField {...field("longInfo")} rows={6} max={10_000} isRequired={false} />
      <LongField
        {...field("terms")}
        rows={4}
        help="What cashback is calculated on, and what it leaves out."
        max={10_000}
        isRequired={false}
      />
      <div className="pair">
        <TextField {...field("tracksMin")} inputMode="numeric" max={4} />
        <TextField {...field("tracksMax")} inputMode="numeric" max={4} />
      </div>
      <div className="pair">
        <TextField {...field("confirmsMin")} inputMode="numeric" max={4} />
        <TextField {...field("confirmsMax")} inputMode="numeric" max={4} />
      </div>
      <SelectField {...field("confirmsAfter")} choices={afterChoices} />
      <SelectField {...field("mainCategory")} empty="None" choices={choicesOf(choices.categories)} isRequired={false} />
      <PlacementFields
        labels={retailerLabels}
        brandsHelp="Without a tick, no brand shows it."
        {...{ choices, typed, faults }}
      />
      <div className="boxes stack">
        {box("acceptsClaims")}
        {box("adultsOnly")}
      </div>
    </>
  );
}
