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
  /** The slowest statement of the page, and how long it took each time, in ms. */
  slowest: NotedStatement;
  times: number[];
  /** Set where the address was not answered with a page. */
  problem: string | null;
}

export interface Probe {
  ask(address: string): Promise<Response>;
  noted: ReturnType<typeof noteStatements>;
  pool: pg.Pool;
  /** How often each statement is executed again, after the page was opened once; 0: its first time counts. */
  repeats: number;
  targetMs: number;
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
  const problem = await visitPage(probe, address);
  for (const statement of probe.noted.take()) {
    const what = nameFigure(statement.text);
    if (what !== null)
      yield { pattern, what, address, problem, slowest: statement, times: await timesOf(probe, statement) };
  }
}

/** Opens a page, and measures each of its statements. The slowest one stands for the page. */
async function measure(probe: Probe, pattern: AdminPath, what: string, address: string): Promise<Measured> {
  const problem = await visitPage(probe, address);
  let slowest: Pick<Measured, "slowest" | "times"> = { slowest: { text: "", parameters: [], ms: 0 }, times: [] };
  for (const statement of probe.noted.take()) {
    const times = await timesOf(probe, statement);
    if (share(times, 0.95) >= share(slowest.times, 0.95)) slowest = { slowest: statement, times };
  }
  return { pattern, what, address, problem, ...slowest };
}

/** Times of statements that pages have in common: of each database, by text and parameters. */
const knownOf = new WeakMap<pg.Pool, Map<string, number[]>>();
/** A statement that misses is measured again: on a machine with other work, it may have waited for a processor. */
const ROUNDS = 3;

/** Executes a statement again and again, and returns how long each time took, in ms: of the best round. */
async function timesOf(
  { pool, repeats, targetMs }: Probe,
  { text, parameters, ms }: NotedStatement,
): Promise<number[]> {
  if (repeats === 0 || !/^(\/\*.*?\*\/)?\s*(select|with)\b/i.test(text)) return [ms];
  const known = knownOf.get(pool) ?? new Map<string, number[]>();
  knownOf.set(pool, known);
  const key = JSON.stringify([text, parameters]);
  let best = known.get(key);
  for (let round = 0; round < ROUNDS && !(best && (round === 0 || share(best, 0.95) < targetMs)); round++) {
    const times: number[] = [];
    for (let repeat = 0; repeat < repeats; repeat++) {
      const from = performance.now();
      await pool.query(text, parameters as unknown[]);
      times.push(performance.now() - from);
    }
    if (!best || share(times, 0.95) < share(best, 0.95)) best = times;
  }
  known.set(key, best ?? [ms]);
  return best ?? [ms];
}

/** Returns the value that a part of the times does not exceed. */
export function share(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;
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
