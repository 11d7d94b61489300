import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ALWAYS_SENT, alwaysSentWords, NOT_TO_MEMBERS } from "./always-sent.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8").replaceAll(/\s+/g, " ");

test("M9 every mail without an unsubscribe link is named among those that are always sent, and no other", () => {
  const folder = "../mails/templates/";
  const always = readdirSync(new URL(folder, import.meta.url))
    .filter((file) => !read(folder + file).includes("unsubscribePath:"))
    .map((file) => file.replace(/\.ts$/, ""));
  const named = [...ALWAYS_SENT.flatMap(({ kinds }) => [...kinds]), ...NOT_TO_MEMBERS];
  expect(named.toSorted()).toEqual(always.toSorted());
});

test.each(["../../db/seeds/legal/privacy.md", "../../../docs/operations/privacy.md"])(
  "M5 M9 %s names the mails that are always sent as the page of notifications does",
  (document) => {
    expect(read(document)).toContain(alwaysSentWords());
  },
);
