import { useEffect, useRef } from "react";

/**
 * Sorts a listing by going to the URL of the choice (product.md D5). A GET form: without script its button does the work, with
 * script the choice itself does. `keeps` are the other parameters; the page starts again at one.
 */
export function SortForm<Sort extends string>({
  sort,
  choices,
  keeps = {},
}: {
  sort: Sort;
  choices: Readonly<Record<Sort, string>>;
  keeps?: Record<string, string>;
}) {
  const select = useRef<HTMLSelectElement>(null);

  // Someone may have chosen before the script was there, or come back to a page that remembers the choice but not the list.
  useEffect(() => {
    if (select.current && select.current.value !== sort) select.current.value = sort;
  }, [sort]);

  return (
    <form method="get" className="sort-form">
      {Object.entries(keeps).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label htmlFor="sort">Sort by</label>
      <select
        id="sort"
        name="sort"
        className="select"
        ref={select}
        defaultValue={sort}
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
      >
        {(Object.entries(choices) as [Sort, string][]).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <button type="submit" className="button is-quiet sort-form-button">
        Sort
      </button>
    </form>
  );
}
