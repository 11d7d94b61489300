import type { AdminPath } from "@farthing/admin/pages.ts";
import type { ListControls, WalkedPage } from "@farthing/admin/testing/walk-admin.ts";
import { walkAdmin } from "@farthing/admin/testing/walk-admin.ts";
import { writeCursor } from "@farthing/core/lists/list-schema.ts";
import type { NotedStatement, noteStatements } from "@farthing/db/testing/noted-statements.ts";
import type pg from "pg";

/** What a screen cost the database, address by address. */
export interface Measured {
  pattern: AdminPath;
  /** "first page", "order -name", "deep page", "filter brand", "search q", "record", or a figure of the home page. */
  what: string;
  address: string;
  /** The slowest statement of each visit, in ms. */
  times: number[];
  slowest: NotedStatement;
  /** Set where a visit was not answered with a page. */
  problem: string | null;
}

export interface Probe {
  ask(address: string): Promise<Response>;
  noted: ReturnType<typeof noteStatements>;
  pool: pg.Pool;
  /** Visits of each address; one more comes first and is not counted. */
  visits: number;
  perPattern: number;
  /** Records that links may not lead to, such as the busiest. */
  also: readonly string[];
  /** Values of a filter that are chosen, at most. */
  maxChoices: number;
  /** What people type into a search. */
  words: readonly string[];
  /** Days for filters of dates. */
  days: readonly string[];
}

/** Opens every screen, and of each list every order, a page deep inside, each filter and each search. */
export async function* measurePages(
  probe: Probe,
  nameFigure: (text: string) => string | null,
): AsyncGenerator<Measured> {
  for await (const page of walkAdmin(probe.ask, probe)) {
    probe.noted.take();
    if (page.pattern === "/admin") yield* measureFigures(probe, page, nameFigure);
    else
      yield await measure(
        probe,
        page.pattern,
        page.list ? "first page" : page.pattern.includes(":") ? "record" : "page",
        page.address,
      );
    if (page.list) yield* measureList(probe, page, page.list);
  }
}

async function* measureList(probe: Probe, { pattern }: WalkedPage, list: ListControls): AsyncGenerator<Measured> {
  const at = (query: Record<string, string>) => `${list.path}?${new URLSearchParams(query).toString()}`;
  for (const sort of list.sorts.length > 0 ? list.sorts : [""]) {
    const first = at(sort === "" ? {} : { sort });
    if (sort !== "") yield await measure(probe, pattern, `order ${sort}`, first);
    const cursor = await findDeepCursor(probe, first);
    if (cursor === null) continue;
    for (const way of ["after", "before"])
      yield await measure(probe, pattern, "deep page", at({ ...(sort === "" ? {} : { sort }), [way]: cursor }));
  }
  for (const { name, kind, values } of list.filters) {
    const typed = kind === "choice" ? spread(values, probe.maxChoices) : kind === "date" ? probe.days : probe.words;
    for (const value of typed)
      yield await measure(probe, pattern, `${kind === "text" ? "search" : "filter"} ${name}`, at({ [name]: value }));
  }
}

/** Each statement of the home page is a figure of its own. */
async function* measureFigures(
  probe: Probe,
  { pattern, address }: WalkedPage,
  nameFigure: (text: string) => string | null,
): AsyncGenerator<Measured> {
  const figures = new Map<string, Measured>();
  for (let visit = 0; visit <= probe.visits; visit++) {
    const problem = await visitPage(probe, address);
    for (const statement of probe.noted.take()) {
      const what = nameFigure(statement.text);
      if (what === null || (visit === 0 && probe.visits > 0)) continue;
      const figure = figures.get(what) ?? { pattern, what, address, times: [], slowest: statement, problem };
      figure.times.push(statement.ms);
      if (statement.ms > figure.slowest.ms) figure.slowest = statement;
      figures.set(what, figure);
    }
  }
  yield* figures.values();
}

async function measure(probe: Probe, pattern: AdminPath, what: string, address: string): Promise<Measured> {
  const times: number[] = [];
  let slowest: NotedStatement = { text: "", parameters: [], ms: 0 };
  let problem: string | null = null;
  for (let visit = 0; visit <= probe.visits; visit++) {
    problem ??= await visitPage(probe, address);
    const statements = probe.noted.take();
    if (visit === 0 && probe.visits > 0) continue;
    times.push(Math.max(0, ...statements.map(({ ms }) => ms)));
    for (const statement of statements) if (statement.ms > slowest.ms) slowest = statement;
  }
  return { pattern, what, address, times, slowest, problem };
}

async function visitPage({ ask }: Probe, address: string): Promise<string | null> {
  const answer = await ask(address);
  await answer.text();
  return answer.status === 200 ? null : `answered with ${answer.status}`;
}

/** Returns the place of a row in the middle of a list, by the list's own statement; null: it has one page. */
async function findDeepCursor({ ask, noted, pool }: Probe, address: string): Promise<string | null> {
  await (await ask(address)).text();
  const statement = noted.take().find(({ text }) => text.includes('as "cursorValue"'));
  const last = /limit \$(\d+)$/.exec(statement?.text ?? "");
  if (!statement || !last) return null;
  const place = Number(last[1]) - 1;
  for (const offset of [400_000, 40_000, 4_000, 400, 60]) {
    const parameters = statement.parameters.map((value, index) => (index === place ? offset : value));
    const { rows } = await pool.query<{ cursorValue: string; cursorId: string }>(
      statement.text.replace(/limit (\$\d+)$/, "offset $1 limit 1").replace("offset $1", `offset $${last[1]}`),
      parameters as unknown[],
    );
    if (rows[0]) return writeCursor({ value: rows[0].cursorValue, id: rows[0].cursorId });
  }
  return null;
}

/** Returns at most `max` of the values, first and last among them. */
function spread<T>(values: readonly T[], max: number): T[] {
  return values.filter(
    (_, index) =>
      values.length <= max || index === values.length - 1 || index % Math.ceil(values.length / (max - 1)) === 0,
  );
}
