import { describe, expect, test } from "vitest";
import { MAX_QUERY_LENGTH, queryWords } from "./query-words.ts";

describe("P6 what a trace shows of a statement", () => {
  test.each([
    ['select "id" from "members" where "email" = $1', "select members"],
    ['insert into "clicks" ("id") values ($1)', "insert clicks"],
    ['update "member_sessions" set "x" = $1', "update member_sessions"],
    ['delete from "mails" where "id" = $1', "delete mails"],
    [
      "/* keep plan */\n  select member.id from member_sessions session join members member on true",
      "select member_sessions",
    ],
    ["with due as (select id from dropped_work) update mails set x = 1", "with dropped_work"],
    ["select count(*) from (select 1 from offers) o", "select offers"],
    ["begin", "begin"],
    ["", "statement"],
  ])("P6 %s is named %s", (statement, summary) => {
    expect(queryWords(statement).summary).toBe(summary);
  });

  test.each([
    ["select * from a where b = 'GIFT-1234'", "select * from a where b = ?"],
    ["select 'it''s ada@example.org', $1", "select ?, $1"],
    [String.raw`select E'a\'b''c', 1`, "select ?, ?"],
    ["select $$GIFT-1234$$, $a$ it's $$ $a$, $2", "select ?, ?, $2"],
    ["select 1.5, -20, a1, $12, t2.c3", "select ?, -?, a1, $12, t2.c3"],
    ["select 'never closed GIFT-1234", "select ?"],
    ["select $x$ never closed GIFT-1234", "select ?"],
    ["select 1 -- GIFT-1234\n, 2 /* it's\n GIFT-1234 */, 'b'", "select ? , ? , ?"],
    ["select '--', 'GIFT-1234'", "select ?, ?"],
    ["select '/*', 'GIFT-1234' /* x */", "select ?, ?"],
    ["select \"it's\", 'GIFT-1234'", 'select "it\'s", ?'],
  ])("S1 %s has no literal left", (statement, text) => {
    expect(queryWords(statement).text).toBe(text);
  });

  test("P6 a long statement is cut", () => {
    const { text } = queryWords(`select ${"a, ".repeat(10_000)} b from offers`);
    expect(text).toHaveLength(MAX_QUERY_LENGTH);
  });
});
