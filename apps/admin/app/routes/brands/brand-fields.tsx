import type { ReactNode } from "react";
import { LongField, SelectField, TextField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { features, featureWords, homeSections, sectionWords } from "./brand-form.ts";

interface Shown {
  typed: Typed;
  faults: Faults | undefined;
}

function Group({ legend, help, children }: { legend: string; help?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className="group">
      <legend>{legend}</legend>
      {help && <p className="field-help">{help}</p>}
      {children}
    </fieldset>
  );
}

function Box({ name, label, typed }: { name: string; label: ReactNode; typed: Typed }) {
  return (
    <label className="tick">
      <input type="checkbox" name={name} value="on" defaultChecked={typed[name] === "on"} /> {label}
    </label>
  );
}

/** Who a brand is and for whom: on the form of a new one too. */
export function IdentityFields({ typed, faults }: Shown) {
  const shared = { typed, faults };
  return (
    <>
      <TextField name="name" label="Name" help="As members read it." max={60} {...shared} />
      <TextField
        name="strapline"
        label="Strapline"
        help="The heading of the home page."
        max={160}
        isRequired={false}
        {...shared}
      />
      <TextField
        name="audience"
        label="Who it is for"
        help="In the middle of a sentence: teachers and school staff"
        max={160}
        {...shared}
      />
      <TextField
        name="supportEmail"
        label="Address for questions"
        type="email"
        help="In the footer, in e-mails and in the legal pages."
        {...shared}
      />
    </>
  );
}

export function MemberTypeFields({
  typed,
  faults,
  types,
}: Shown & { types: readonly { slug: string; name: string }[] }) {
  return (
    <fieldset className="group" id="memberTypes" data-has-fault={faults?.["memberTypes"] ? "" : undefined}>
      <legend>Member types</legend>
      <p className="field-help">Who can join, as the registration offers it.</p>
      <div className="ticks">
        {types.map(({ slug, name }) => (
          <Box key={slug} name={`type-${slug}`} label={name} typed={typed} />
        ))}
      </div>
      {faults?.["memberTypes"] && <p className="field-fault">{faults["memberTypes"]}</p>}
    </fieldset>
  );
}

export function JoiningFields({ typed, faults, mayChangeMoney }: Shown & { mayChangeMoney: boolean }) {
  const shared = { typed, faults };
  return (
    <Group legend="Joining and money">
      <TextField name="minimumAge" label="Youngest age" inputMode="numeric" max={2} {...shared} />
      <TextField
        name="residence"
        label="Countries where members may live"
        help="Codes of two letters: GB, IM, JE, GG"
        {...shared}
      />
      {mayChangeMoney ? (
        <TextField
          name="payoutThresholdPence"
          label="Members can withdraw from, in £"
          inputMode="decimal"
          max={8}
          {...shared}
        />
      ) : (
        <p className="soft">Members can withdraw from £{typed["payoutThresholdPence"]}. Owners change it.</p>
      )}
    </Group>
  );
}

export function PageFields({
  typed,
  faults,
  categories,
}: Shown & { categories: readonly { slug: string; name: string }[] }) {
  const shared = { typed, faults };
  return (
    <Group legend="Pages">
      <TextField name="bannerText" label="Banner" max={160} isRequired={false} {...shared} />
      <TextField
        name="bannerLink"
        label="Banner’s link"
        help="A path of this site: /categories/travel"
        isRequired={false}
        {...shared}
      />
      <LongField
        name="menu"
        label="Menu"
        rows={7}
        help="A section a line, at most seven: its label, a colon, its categories. Each category lists its most popular retailers of the moment; save again to renew them."
        isRequired={false}
        {...shared}
      />
      <details>
        <summary>Categories by their short names</summary>
        <p className="soft">{categories.map(({ slug }) => slug).join(", ") || "None yet: import the catalogue."}</p>
      </details>
      <fieldset className="group" id="home" data-has-fault={faults?.["home"] ? "" : undefined}>
        <legend>Order of the home page</legend>
        <p className="field-help">Number the sections from the top. One without a number is not shown.</p>
        <div className="places">
          {homeSections.map((section) => (
            <label key={section}>
              <input
                name={`home-${section}`}
                inputMode="numeric"
                maxLength={2}
                size={2}
                autoComplete="off"
                defaultValue={typed[`home-${section}`] ?? ""}
              />{" "}
              {sectionWords[section]}
            </label>
          ))}
        </div>
        {faults?.["home"] && <p className="field-fault">{faults["home"]}</p>}
      </fieldset>
    </Group>
  );
}

/** A status that the carer migration can ask. */
export interface MovingStatus {
  /** The member type's slug. */
  type: string;
  typeName: string;
  /** `member-type/status`. */
  status: string;
  name: string;
}

/** Whom the carer migration asks, and where they go (M7): the switch does nothing without. */
function CarerMoveFields({
  typed,
  faults,
  statuses,
  places,
}: Shown & { statuses: readonly MovingStatus[]; places: readonly { value: string; label: string }[] }) {
  const isChosen = typed["carerMove"] || faults?.["carerMove"] || typed["feature-carerMigration"];
  return (
    <details open={isChosen ? true : undefined}>
      <summary>Who is offered a move, and where to</summary>
      <SelectField
        name="carerMove"
        label="They move to"
        help="The club, and the member type that they have there. Who is on the way there has to agree again if you change it."
        isRequired={false}
        choices={places}
        empty="Nowhere"
        {...{ typed, faults }}
      />
      <fieldset className="field boxes">
        <legend>Members who are asked</legend>
        <div className="ticks">
          {statuses.map(({ typeName, status, name }) => (
            <Box key={status} name={`mover-${status}`} label={`${typeName}: ${name}`} typed={typed} />
          ))}
        </div>
      </fieldset>
    </details>
  );
}

export function FeatureFields({
  typed,
  faults,
  statuses,
  places,
}: Shown & { statuses: readonly MovingStatus[]; places: readonly { value: string; label: string }[] }) {
  const shared = { typed, faults, isRequired: false };
  return (
    <Group legend="Features">
      <div className="ticks" id="features">
        {features.map((feature) => (
          <Box key={feature} name={`feature-${feature}`} label={featureWords[feature]} typed={typed} />
        ))}
      </div>
      {faults?.["features"] && <p className="field-fault">{faults["features"]}</p>}
      <CarerMoveFields {...{ typed, faults, statuses, places }} />
      <TextField name="ios" label="App in the App Store" type="url" help="https://…" {...shared} />
      <TextField name="android" label="App in Google Play" type="url" help="https://…" {...shared} />
      <TextField
        name="tagManager"
        label="Tag manager"
        help="The container’s id: GTM-ABC1234. Loaded with a person’s consent."
        {...shared}
      />
      <TextField
        name="engagementScript"
        label="Script for messages"
        help="That of your provider for service workers, with consent."
        {...shared}
      />
      <TextField name="affinityId" label="Id in telemetry" max={100} typed={typed} faults={faults} />
    </Group>
  );
}
