import { readdir, readFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import { readFunctions } from "./functions.ts";
import { migrate } from "./migrate.ts";
import { otherVersions, thisVersion } from "./testing/another-version.ts";
import { testDatabase } from "./testing/test-database.ts";

const { url, pool } = await testDatabase();
const folder = new URL("functions/", thisVersion);
const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
const contents = new Map(
  await Promise.all(files.map(async (file) => [file, await readFile(new URL(file, folder), "utf8")] as const)),
);

/** Names of the functions in the database that no extension brought; an overloaded name comes twice. */
async function functionsInDatabase(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
        -- The clock functions of a run under a shifted clock (testing/shifted-clock.ts).
        and proname <> all ('{now,transaction_timestamp,statement_timestamp,clock_timestamp}')
      order by 1`,
  );
  return rows.map(({ name }) => name);
}

const anotherVersion = otherVersions();
afterEach(async () => {
  await pool.query("drop function if exists greeting");
  await pool.query("delete from schema_functions where name in ('greeting.sql', 'farewell.sql')");
  await pool.query("delete from schema_migrations where name like '9%'");
});

const greeting = (word: string) =>
  `create or replace function greeting() returns text language sql as $$ select '${word}' $$;\n`;
const greet = async () => (await pool.query<{ word: string }>("select greeting() as word")).rows[0]!.word;

describe("P2 functions in files", () => {
  test("P2 every function in the database has its file, and every file makes one function", async () => {
    expect((await functionsInDatabase()).map((name) => `${name}.sql`).sort()).toEqual(files);
  });

  test("P2 a file creates its function so that it can be applied again", () => {
    const created = files.map((file) => ({
      file,
      creates: [...contents.get(file)!.matchAll(/^create .*?\bfunction (\w+)/gm)].map(([line]) => line),
    }));
    expect(created).toEqual(
      files.map((file) => ({ file, creates: [`create or replace function ${file.replace(".sql", "")}`] })),
    );
  });

  test("P2 a file includes every function that it uses, and no other", () => {
    const names = files.map((file) => file.replace(".sql", ""));
    const uses = files.map((file) => {
      const code = contents.get(file)!.replaceAll(/--.*$/gm, "");
      const used = names.filter((name) => `${name}.sql` !== file && new RegExp(`\\b${name}\\s*\\(`).test(code));
      return { file, includes: used.map((name) => `${name}.sql`) };
    });
    const included = files.map((file) => ({
      file,
      includes: [...contents.get(file)!.matchAll(/^--!include (\S+)$/gm)].map(([, name]) => name!).sort(),
    }));
    expect(included).toEqual(uses);
  });

  test("P2 no index, check or generated column calls a function of ours: what it stored would not follow a change", async () => {
    const { rows } = await pool.query(
      `select pg_describe_object(d.classid, d.objid, d.objsubid) as dependent, proname as name
         from pg_depend d join pg_proc on pg_proc.oid = d.refobjid and d.refclassid = 'pg_proc'::regclass
         left join pg_attrdef a on d.classid = 'pg_attrdef'::regclass and a.oid = d.objid
         left join pg_attribute c on c.attrelid = a.adrelid and c.attnum = a.adnum
        where proname || '.sql' = any ($1) and pronamespace = 'public'::regnamespace
          and (d.classid in ('pg_class'::regclass, 'pg_constraint'::regclass) or c.attgenerated <> '')`,
      [files],
    );
    expect(rows).toEqual([]);
  });
});

describe("P2 R2 a changed file", () => {
  test("P2 is applied once by the next start, and no other file is", async () => {
    const next = await anotherVersion();
    await next.write("functions/greeting.sql", greeting("hello"));
    expect(await migrate(url, next.source)).toEqual({ applied: [], functions: ["greeting.sql"], newer: [] });
    expect(await greet()).toBe("hello");
    expect(await migrate(url, next.source)).toEqual({ applied: [], functions: [], newer: [] });
    await next.write("functions/greeting.sql", greeting("good evening"));
    expect(await migrate(url, next.source)).toEqual({ applied: [], functions: ["greeting.sql"], newer: [] });
    expect(await greet()).toBe("good evening");
  });

  test("P2 is applied each time it changes before it is sealed", async () => {
    const next = await anotherVersion();
    await next.write("functions/greeting.sql", greeting("one"), 1);
    await migrate(url, next.source);
    for (const word of ["two", "three", "two"]) {
      await next.write("functions/greeting.sql", greeting(word));
      expect((await migrate(url, next.source)).functions).toEqual(["greeting.sql"]);
      expect(await greet()).toBe(word);
    }
  });

  test("P2 is applied by one of two processes that start together", async () => {
    const next = await anotherVersion();
    await next.write("functions/greeting.sql", greeting("hello"));
    const both = await Promise.all([migrate(url, next.source), migrate(url, next.source)]);
    expect(both.flatMap(({ functions }) => functions)).toEqual(["greeting.sql"]);
  });

  test("R2 is not replaced by an older process, which reports it", async () => {
    const old = await anotherVersion();
    await old.write("functions/greeting.sql", greeting("old"), 1);
    await migrate(url, old.source);
    const next = await anotherVersion(old.source);
    await next.write("functions/greeting.sql", greeting("new"), 2);
    await migrate(url, next.source);
    expect(await migrate(url, old.source)).toEqual({ applied: [], functions: [], newer: ["greeting.sql"] });
    expect(await greet()).toBe("new");
    expect(await migrate(url, next.source)).toEqual({ applied: [], functions: [], newer: [] });
  });

  test("R2 is applied where a new revision returns to earlier content", async () => {
    const first = await anotherVersion();
    await first.write("functions/greeting.sql", greeting("first"), 1);
    await migrate(url, first.source);
    const second = await anotherVersion(first.source);
    await second.write("functions/greeting.sql", greeting("second"), 2);
    await migrate(url, second.source);
    const third = await anotherVersion(second.source);
    await third.write("functions/greeting.sql", greeting("first"), 3);
    expect((await migrate(url, third.source)).functions).toEqual(["greeting.sql"]);
    expect(await greet()).toBe("first");
    expect((await migrate(url, second.source)).newer).toEqual(["greeting.sql"]);
    expect(await greet()).toBe("first");
  });

  test("R2 a process of the previous version can call a function while a new one is applied, and calls the new one after its transaction", async () => {
    const old = await anotherVersion();
    await old.write("functions/greeting.sql", greeting("old"), 1);
    await migrate(url, old.source);
    const client = await pool.connect();
    try {
      await client.query("prepare asked as select greeting() as word");
      const ask = async () => (await client.query<{ word: string }>("execute asked")).rows[0]!.word;
      await client.query("begin");
      expect(await ask()).toBe("old");
      const next = await anotherVersion(old.source);
      await next.write("functions/greeting.sql", greeting("new"), 2);
      await migrate(url, next.source);
      expect(await ask()).toMatch(/^(old|new)$/);
      await client.query("commit");
      expect(await ask()).toBe("new");
    } finally {
      client.release(true);
    }
  });

  test("R2 a function whose file was deleted stays for the previous version; a later migration drops it", async () => {
    const first = await anotherVersion();
    await first.write("functions/greeting.sql", greeting("hello"), 1);
    await migrate(url, first.source);
    const second = await anotherVersion(first.source);
    await second.remove("functions/greeting.sql");
    await second.write("migrations/9001_unused.sql", "-- Nothing calls greeting() any more.\nselect 1;");
    expect((await migrate(url, second.source)).functions).toEqual([]);
    expect((await migrate(url, first.source)).newer).toEqual(["9001_unused.sql"]);
    expect(await greet()).toBe("hello");
    const third = await anotherVersion(second.source);
    await third.write(
      "migrations/9002_drop.sql",
      "-- Needs code of 9001_unused.sql\ndrop function if exists greeting();",
    );
    await migrate(url, third.source);
    await expect(greet()).rejects.toThrow(/greeting\(\) does not exist/);
    expect((await migrate(url, second.source)).functions, "the version in between still starts").toEqual([]);
    await expect(migrate(url, first.source)).rejects.toThrow(/needs a version that knows 9001_unused\.sql/);
  });

  test("P2 a function that was dropped is made again", async () => {
    await pool.query("drop function search_slips(text)");
    expect((await migrate(url)).functions).toEqual(["search_slips.sql"]);
    expect((await pool.query("select search_slips('ab') as slips")).rows).toEqual([{ slips: ["a", "ab", "b"] }]);
  });

  test("P2 a function that a migration drops, while its file is still there, is made again by the same start", async () => {
    const next = await anotherVersion();
    await next.write("migrations/9001_drop.sql", "drop function search_slips(text);");
    expect((await migrate(url, next.source)).functions).toEqual(["search_slips.sql"]);
  });

  test("P2 a file that PostgreSQL refuses is named, and no function of that start is changed", async () => {
    const next = await anotherVersion();
    await next.write("functions/farewell.sql", greeting("bye").replace("greeting", "farewell"));
    await next.write("functions/greeting.sql", greeting("hello").replace("select", "selct"));
    await expect(migrate(url, next.source)).rejects.toThrow(
      /^SQL function greeting\.sql failed: syntax error at or near "selct"/,
    );
    await expect(pool.query("select farewell()")).rejects.toThrow(/farewell\(\) does not exist/);
  });

  test("P2 a body with a fault is refused when it is applied, not when it is called", async () => {
    const next = await anotherVersion();
    await next.write(
      "functions/greeting.sql",
      "create or replace function greeting() returns text language plpgsql as $$ begin return nothing that parses; end $$;",
    );
    await expect(migrate(url, next.source)).rejects.toThrow(/^SQL function greeting\.sql failed: /);
  });

  test.each([
    {
      change: "other parameters",
      signature: "greeting(name text) returns text",
      told: /2 functions have the file's name/,
    },
    { change: "another return type", signature: "greeting() returns varchar", told: /cannot change return type/ },
  ])("R2 a changed signature is refused with what to do: $change", async ({ signature, told }) => {
    const next = await anotherVersion();
    await next.write("functions/greeting.sql", greeting("hello"), 1);
    await migrate(url, next.source);
    await next.write("functions/greeting.sql", greeting("hello").replace("greeting() returns text", signature));
    const refused: unknown = await migrate(url, next.source).catch((error: unknown) => error);
    expect(String(refused)).toMatch(told);
    expect(String(refused)).toMatch(/give the new one a name of its own \(docs\/operations\/upgrading\.md\)/);
    expect(await greet()).toBe("hello");
  });
});

describe("P2 an --!include line", () => {
  /** Today's functions, and five of its own. */
  async function withFive(includes: Record<string, string>) {
    const version = await anotherVersion();
    for (const name of ["aa", "ab", "ac", "ad", "ae"])
      await version.write(`functions/${name}.sql`, includes[name] ? `--!include ${includes[name]}.sql\n` : "");
    return new URL("functions/", version.source);
  }

  test("P2 puts a function after those that it includes; the others are ordered by name", async () => {
    const order = await readFunctions(await withFive({ aa: "ac", ac: "ab", ab: "ad" }));
    expect(order.slice(0, 5).map(({ name }) => name)).toEqual(["ad.sql", "ab.sql", "ac.sql", "aa.sql", "ae.sql"]);
  });

  test("P2 is refused where functions include each other", async () => {
    await expect(readFunctions(await withFive({ aa: "ab", ab: "ac", ac: "aa" }))).rejects.toThrow(
      "include each other: aa.sql > ab.sql > ac.sql > aa.sql.",
    );
  });

  test("P2 an include of a file that does not exist is refused, in a function as in a migration, before anything runs", async () => {
    await expect(readFunctions(await withFive({ aa: "gone" }))).rejects.toThrow(
      "aa.sql includes gone.sql, which is not in packages/db/functions.",
    );
    const next = await anotherVersion();
    await next.write("migrations/9001_first.sql", "create table nine_thousand (id uuid primary key);");
    await next.write("migrations/9002_second.sql", "--!include gone.sql\nselect 1;");
    await expect(migrate(url, next.source)).rejects.toThrow(
      "9002_second.sql includes gone.sql, which is not in packages/db/functions.",
    );
    await expect(pool.query("select from nine_thousand")).rejects.toThrow(/does not exist/);
  });

  test("R2 a migration leaves an included function that exists as it is; it changes after all migrations", async () => {
    const old = await anotherVersion();
    await old.write("functions/greeting.sql", greeting("old"), 1);
    await migrate(url, old.source);
    const next = await anotherVersion(old.source);
    await next.write("functions/greeting.sql", greeting("new"), 2);
    await next.write(
      "migrations/9001_first.sql",
      "--!include greeting.sql\ncreate table heard as select greeting() as word;",
    );
    expect((await migrate(url, next.source)).functions).toEqual(["greeting.sql"]);
    expect((await pool.query("select word, greeting() as now from heard")).rows).toEqual([{ word: "old", now: "new" }]);
    await pool.query("drop table heard");
  });

  test("P2 a migration finds the function that it includes, though its body names a table that comes later", async () => {
    const next = await anotherVersion();
    await next.write(
      "functions/count_nine.sql",
      `create or replace function count_nine() returns trigger language plpgsql as $$
       declare counted nine_counts; begin insert into nine_counts values (1); return null; end $$;`,
    );
    await next.write(
      "migrations/9001_first.sql",
      `--!include count_nine.sql
       create table nine_thousand (id integer);
       create trigger nine_counted after insert on nine_thousand for each row execute function count_nine();`,
    );
    await next.write("migrations/9002_second.sql", "create table nine_counts (n integer);");
    expect(await migrate(url, next.source)).toEqual({
      applied: ["9001_first.sql", "9002_second.sql"],
      functions: ["count_nine.sql"],
      newer: [],
    });
    await pool.query("insert into nine_thousand values (9)");
    expect((await pool.query("select n from nine_counts")).rows).toEqual([{ n: 1 }]);
  });
});
