import fc from "fast-check";
import { expect, test } from "vitest";
import { UnreadableFileError, type FileRecord } from "./file-record.ts";
import { readJsonRecords } from "./json-records.ts";

async function read(text: string | Uint8Array, chunkSize = 7): Promise<FileRecord[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const records: FileRecord[] = [];
  for await (const record of readJsonRecords(chunks())) records.push(record);
  return records;
}

async function problemOf(text: string | Uint8Array): Promise<UnreadableFileError> {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof UnreadableFileError) return error;
    throw error;
  }
  throw new Error("The file was read without a problem.");
}

test("C2 a root list is read record by record, each with the line it starts on", async () => {
  expect(await read('[\n  {"id": 1},\n\n  {\n    "id": 2\n  }, 3\n]\n')).toEqual([
    { list: "", index: 0, line: 2, value: { id: 1 } },
    { list: "", index: 1, line: 4, value: { id: 2 } },
    { list: "", index: 2, line: 6, value: 3 },
  ]);
});

test("C2 an object's lists are read one by one, and other values are returned as they are", async () => {
  expect(await read('{"data": [\n{"a": "]}\\" ,"}\n], "pagination": {"page": 1}, "more": []}')).toEqual([
    { list: "data", index: 0, line: 2, value: { a: ']}" ,' } },
    { list: "pagination", index: null, line: 3, value: { page: 1 } },
  ]);
});

test("C2 a byte order mark, CRLF line ends and characters split between chunks are accepted", async () => {
  expect(await read('\ufeff[\r\n{"name": "Café Véloutine £5 🍕"}\r\n]', 1)).toEqual([
    { list: "", index: 0, line: 2, value: { name: "Café Véloutine £5 🍕" } },
  ]);
});

test("C2 any JSON is read as the values that were written", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ noUnicodeString: false })),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(undefined, 2, "\t"),
      async (values, chunkSize, space) => {
        const records = await read(JSON.stringify(values, null, space), chunkSize);
        expect(records.map((record) => record.value)).toEqual(JSON.parse(JSON.stringify(values)));
      },
    ),
    { numRuns: 200 },
  );
});

test.each([
  ["", null, /empty \(0 bytes\)/],
  ["  \n\n ", null, /only spaces/],
  ["<!doctype html>", 1, /not a JSON file.*"<"/],
  ["id,name\n1,Shop", 1, /not a JSON file/],
  ['[\n{"id": 1},\n{"id": 2', 3, /cut off.*in the middle of record 1, which starts on line 3/],
  ['[\n{"id": 1}\n', 3, /cut off.*after record 0/],
  ['{"data": [\n{"id": 1}\n]', 3, /cut off/],
  ['[\n{"id": 1}\n{"id": 2}\n]', 3, /found "\{" where "," or "\]"/],
  ['[\n{"id": 1},\n]', 3, /remove the comma/],
  ['[\n{"id": 1, "name": oops}\n]', 2, /Record 0 is not valid JSON/],
  ['[\n{\n"id": 1,\n"name": "a\nb"}\n]', 4, /Record 0 is not valid JSON/],
  ['[] {"more": 1}', 1, /nothing more/],
])("C2 a broken file is refused with the line and what to do: %j", async (text, line, message) => {
  const problem = await problemOf(text);
  expect(problem.message).toMatch(message);
  expect(problem.line).toBe(line);
});

test("C2 bytes that are not UTF-8 are refused, not replaced with question marks", async () => {
  expect((await problemOf(Uint8Array.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d]))).message).toMatch(/not UTF-8/);
});

test("C2 a record without an end is refused at the maximum length", async () => {
  const endless = `[{"a": "${"x".repeat(1_100_000)}`;
  expect((await problemOf(new TextEncoder().encode(endless))).message).toMatch(/longer than 1000000 characters/);
});
