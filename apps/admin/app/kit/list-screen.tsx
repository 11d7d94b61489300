import { PAGE_SIZES } from "@farthing/core/lists/list-schema.ts";
import { use, type ReactNode } from "react";
import { ShellContext } from "../shell-context.ts";
import type { List, ListFilter } from "./list.ts";
import type { LoadedList } from "./load-list.server.ts";

/**
 * A list: filters, saved views, order, rows to choose, pages, and the file. Its whole state is in the address, so it can
 * be sent to a colleague, and works without script.
 */
export function ListScreen<Row, Sort extends string>({
  list,
  loaded,
  empty,
  elsewhere,
}: {
  list: List<Row, Sort>;
  loaded: LoadedList<Row, Sort>;
  /** What to say where there is nothing at all, without filters. */
  empty: ReactNode;
  /** Where else to look for what the filters have not found. */
  elsewhere?: ReactNode;
}) {
  const { rows, filters } = loaded;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <div className="list">
      <Toolbar list={list} loaded={loaded} />
      {rows.length === 0 ? (
        <div className="empty">
          {isFiltered ? (
            <>
              <p>
                No {list.rows} match these filters. <a href={list.path}>Clear the filters</a>
              </p>
              {elsewhere}
            </>
          ) : (
            empty
          )}
        </div>
      ) : (
        <Rows list={list} loaded={loaded} />
      )}
      <Pager list={list} loaded={loaded} />
    </div>
  );
}

interface Parts<Row, Sort extends string> {
  list: List<Row, Sort>;
  loaded: LoadedList<Row, Sort>;
}

function Toolbar<Row, Sort extends string>({ list, loaded }: Parts<Row, Sort>) {
  const { path } = use(ShellContext);
  const { filters, state, views } = loaded;
  const query = queryOf(list, loaded, {});
  return (
    <div className="toolbar">
      {list.filters.length > 0 && (
        <form className="filters" action={list.path}>
          {list.filters.map((filter) => (
            <Filter key={filter.name} filter={filter} value={filters[filter.name] ?? ""} />
          ))}
          <div className="filter">
            <label htmlFor="filter-size">Rows</label>
            <select id="filter-size" name="size" defaultValue={state.size}>
              {PAGE_SIZES.map((size) => (
                <option key={size}>{size}</option>
              ))}
            </select>
          </div>
          {sortOf(loaded) !== list.defaultSort && <input type="hidden" name="sort" value={sortOf(loaded)} />}
          <p className="acts">
            <button className="button">Filter</button>
            {Object.keys(filters).length > 0 && <a href={list.path}>Clear</a>}
          </p>
        </form>
      )}
      <div className="toolbar-side">
        <details className="views">
          <summary>Views{views.length > 0 && ` (${views.length})`}</summary>
          <div className="views-menu">
            {views.length === 0 && <p className="soft">No saved views yet.</p>}
            <ul>
              {views.map((view) => (
                <li key={view.id}>
                  <a href={`${list.path}?${view.query}`}>{view.name}</a>
                  <form method="post" action="/admin/views">
                    <input type="hidden" name="back" value={path} />
                    <button className="button is-quiet" name="remove" value={view.id}>
                      Remove <span className="away">{view.name}</span>
                    </button>
                  </form>
                </li>
              ))}
            </ul>
            <form method="post" action="/admin/views">
              <input type="hidden" name="back" value={path} />
              <input type="hidden" name="list" value={list.name} />
              <input type="hidden" name="query" value={query} />
              <label htmlFor="view-name">Save these filters as</label>
              <input id="view-name" name="name" required maxLength={60} autoComplete="off" />
              <button className="button">Save view</button>
            </form>
          </div>
        </details>
        <a href={`${list.csvPath}${query && `?${query}`}`} download>
          Export CSV
        </a>
      </div>
    </div>
  );
}

function Filter({ filter, value }: { filter: ListFilter; value: string }) {
  const id = `filter-${filter.name}`;
  return (
    <div className="filter">
      <label htmlFor={id}>{filter.label}</label>
      {filter.kind === "choice" ? (
        <select id={id} name={filter.name} defaultValue={value}>
          <option value="">{filter.none ?? "Any"}</option>
          {filter.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={filter.name}
          type={filter.kind === "date" ? "date" : "search"}
          defaultValue={value}
          placeholder={filter.kind === "text" ? filter.placeholder : undefined}
          maxLength={200}
        />
      )}
    </div>
  );
}

function Rows<Row, Sort extends string>({ list, loaded }: Parts<Row, Sort>) {
  const { bulk = [] } = list;
  const { path } = use(ShellContext);
  const table = (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={`Table of ${list.rows}`}>
      <table className="rows" data-rows>
        <caption className="away">{list.rows}</caption>
        <thead>
          <tr>
            {bulk.length > 0 && (
              <th scope="col" className="choose">
                <span className="away">Choose</span>
                <input
                  type="checkbox"
                  className="needs-script"
                  data-chooses-all
                  aria-label="Choose all rows of this page"
                />
              </th>
            )}
            {list.columns.map((column) => (
              <Heading key={column.key} column={column} list={list} loaded={loaded} />
            ))}
          </tr>
        </thead>
        <tbody>
          {loaded.rows.map((row) => (
            <tr key={list.keyOf(row)}>
              {bulk.length > 0 && (
                <td className="choose">
                  <input type="checkbox" name="ids" value={list.keyOf(row)} aria-label={`Choose ${list.nameOf(row)}`} />
                </td>
              )}
              {list.columns.map((column) => (
                <td key={column.key} className={column.isNumber ? "number" : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  if (bulk.length === 0) return table;
  return (
    <form method="post" action={path}>
      {table}
      <div className="bulk" data-bulk>
        <span data-bulk-count className="soft">
          With the chosen rows:
        </span>
        {bulk.map(({ name, label, isDanger }) => (
          <button key={name} className={isDanger ? "button is-danger-quiet" : "button"} name="act" value={name}>
            {label}
          </button>
        ))}
      </div>
    </form>
  );
}

function Heading<Row, Sort extends string>({
  column: { label, sort, isNumber },
  list,
  loaded,
}: Parts<Row, Sort> & { column: List<Row, Sort>["columns"][number] }) {
  const className = isNumber ? "number" : undefined;
  if (sort === undefined)
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    );
  const { state } = loaded;
  const isChosen = state.sort === sort;
  const next = isChosen && !state.isDescending ? `-${sort}` : sort;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isChosen ? (state.isDescending ? "descending" : "ascending") : undefined}
    >
      <a href={`${list.path}?${queryOf(list, loaded, { sort: next })}`}>{label}</a>
    </th>
  );
}

function Pager<Row, Sort extends string>({ list, loaded }: Parts<Row, Sort>) {
  const { next, previous, rows } = loaded;
  const to = (place: Record<string, string>) => `${list.path}?${queryOf(list, loaded, place)}`;
  if (rows.length === 0 && previous === null) return null;
  return (
    <nav className="pager" aria-label="Pages of the list">
      <span className="soft">
        {next || previous ? `${rows.length} on this page` : rows.length === 1 ? "1 row" : `${rows.length} ${list.rows}`}
      </span>
      {previous && (
        <>
          <a href={`${list.path}?${queryOf(list, loaded, {})}`}>First page</a>
          <a href={to({ before: previous })} rel="prev">
            Previous
          </a>
        </>
      )}
      {next && (
        <a href={to({ after: next })} rel="next">
          Next
        </a>
      )}
    </nav>
  );
}

function sortOf<Row, Sort extends string>({ state }: LoadedList<Row, Sort>): string {
  return `${state.isDescending ? "-" : ""}${state.sort}`;
}

/** Returns the query of the list's address: filters, order and size as they are, without the place in the list. */
function queryOf<Row, Sort extends string>(
  list: List<Row, Sort>,
  loaded: LoadedList<Row, Sort>,
  changed: Record<string, string>,
): string {
  const sort = sortOf(loaded);
  const query = new URLSearchParams(loaded.filters);
  if (sort !== list.defaultSort) query.set("sort", sort);
  if (loaded.state.size !== PAGE_SIZES[1]) query.set("size", String(loaded.state.size));
  for (const [name, value] of Object.entries(changed)) query.set(name, value);
  return query.toString();
}
