import type { KindCounts, OfferKind } from "@farthing/core/catalogue/catalogue-view.ts";
import { type ListParameters, listPath } from "./list-path.ts";
import { kindLinks, kindPlurals } from "../cards/offer-kinds.ts";

export interface ListSelect {
  /** The parameter in the address. Its first choice has the value "" and holds without the parameter. */
  name: string;
  label: string;
  choices: readonly (readonly [value: string, words: string])[];
}

/** A filter of a listing, shown as a chip that removes it. */
export interface ActiveFilter {
  name: string;
  words: string;
}

/**
 * The controls above a listing: kinds as links, dropdowns that go to the URL of the choice (D5, list-form.behaviour.ts),
 * and active filters as chips. All state is in the address. Without script the dropdowns are a form with a button.
 */
export function ListTools({
  path,
  parameters,
  kinds,
  selects,
  active,
}: {
  path: string;
  parameters: ListParameters;
  /** Offers per kind; null where there are too many to count; undefined where the listing has no filter by kind. */
  kinds?: KindCounts | null;
  selects: readonly ListSelect[];
  active: readonly ActiveFilter[];
}) {
  const without = (names: readonly string[]) =>
    listPath(path, parameters, Object.fromEntries(names.map((name) => [name, null])));
  return (
    <div className="list-tools">
      {kinds !== undefined && <KindLinks path={path} parameters={parameters} kinds={kinds} />}
      {selects.length > 0 && <SelectForm path={path} parameters={parameters} selects={selects} />}
      {active.length > 0 && (
        <ul className="chips list-active" role="list" aria-label="Narrowed to">
          {active.map(({ name, words }) => (
            <li key={name}>
              <a className="chip is-active" href={without([name])}>
                <span className="visually-hidden">Remove </span>
                {words}
              </a>
            </li>
          ))}
          {active.length > 1 && (
            <li>
              <a className="chip is-clearing" href={without(active.map(({ name }) => name))}>
                Clear all
              </a>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function KindLinks({
  path,
  parameters,
  kinds,
}: {
  path: string;
  parameters: ListParameters;
  kinds: KindCounts | null;
}) {
  const chosen = parameters["kind"] ?? null;
  const links = kindLinks(kinds, chosen);
  if (links.length < 2) return null;
  const counted = kinds && Object.values(kinds).reduce((sum, count) => sum + count, 0);
  return (
    <nav aria-label="Kinds of offer" className="kind-links">
      <ul role="list">
        <li>
          <a href={listPath(path, parameters, { kind: null })} aria-current={chosen === null ? "true" : undefined}>
            All {counted !== null && <span className="count">{counted}</span>}
          </a>
        </li>
        {links.map(({ kind, value, count }) => (
          <li key={kind}>
            <a href={listPath(path, parameters, { kind: value })} aria-current={chosen === value ? "true" : undefined}>
              {kindPlurals[kind]} {count !== null && <span className="count">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SelectForm({
  path,
  parameters,
  selects,
}: {
  path: string;
  parameters: ListParameters;
  selects: readonly ListSelect[];
}) {
  const chosen = (name: string) => parameters[name] ?? "";
  const names = new Set(selects.map(({ name }) => name));
  const kept = Object.entries(parameters).filter(([name, value]) => !names.has(name) && name !== "page" && value);
  return (
    <form method="get" action={path} className="list-form">
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ""} />
      ))}
      {selects.map(({ name, label, choices }) => (
        <span key={name} className="list-form-choice">
          <label htmlFor={name}>{label}</label>
          <select id={name} name={name} className="select" defaultValue={chosen(name)}>
            {choices.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </span>
      ))}
      <button type="submit" className="button is-quiet list-form-button">
        Go
      </button>
    </form>
  );
}

/** Returns the chips of the filters that several listings share. */
export function activeFilters(
  parameters: ListParameters,
  { kind, minBp, category }: { kind: OfferKind | null; minBp: number | null; category?: string | null },
): ActiveFilter[] {
  const active: ActiveFilter[] = [];
  if (kind && parameters["kind"]) active.push({ name: "kind", words: kindPlurals[kind] });
  if (category && parameters["category"]) active.push({ name: "category", words: category });
  if (minBp && parameters["rate"]) active.push({ name: "rate", words: `Pays ${minBp / 100}% or more` });
  return active;
}
