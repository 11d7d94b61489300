import { UnreadableFileError, type FileRecord } from "@farthing/core/catalogue-imports/file-record.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readXmlRecords, type XmlShape } from "./xml-records.ts";

const links: XmlShape = { root: "cj-api", depth: 2, repeated: ["action"], errorElement: "error-message" };
const coupons: XmlShape = { root: "couponfeed", depth: 1, record: "link" };

async function read(text: string | Uint8Array, shape: XmlShape = links, chunkSize = 7): Promise<FileRecord[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const records: FileRecord[] = [];
  for await (const record of readXmlRecords(chunks(), shape)) records.push(record);
  return records;
}

async function problemOf(text: string | Uint8Array, shape?: XmlShape): Promise<UnreadableFileError> {
  try {
    await read(text, shape);
  } catch (error) {
    if (error instanceof UnreadableFileError) return error;
    throw error;
  }
  throw new Error("The file was read without a problem.");
}

const valueOf = async (content: string) =>
  (await read(`<cj-api><links><link>${content}</link></links></cj-api>`))[0]!.value;

describe("C2 XML is read record by record", () => {
  test("C2 each record has its list, its place and the line it starts on", async () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>\r\n<cj-api>\n<links total-matched="2" page-number='1'>
  <link>\n    <link-id>1</link-id>\n  </link>\n  <!-- <link> of yesterday -->\n  <link><link-id> 2 </link-id></link>
</links>\n</cj-api>\n`;
    expect(await read(text)).toEqual([
      { list: "links", index: 0, line: 4, value: { "link-id": "1" } },
      { list: "links", index: 1, line: 8, value: { "link-id": "2" } },
    ]);
  });

  test("C2 records that stand beside other elements are found, one or many", async () => {
    const page = (records: string) => `<couponfeed><TotalPages>1</TotalPages>${records}<new><x/></new></couponfeed>`;
    const link = '<link type="TEXT"><advertiserid>1</advertiserid></link>';
    expect((await read(page(link), coupons)).map(({ index }) => index)).toEqual([0]);
    expect((await read(page(link + link), coupons)).map(({ index }) => index)).toEqual([0, 1]);
    expect(await read(page(""), coupons)).toEqual([]);
  });

  test("C2 pages one after another are one list", async () => {
    const page = (id: number) => `<?xml version="1.0"?>\n<cj-api><links><link><id>${id}</id></link></links></cj-api>\n`;
    expect(
      (await read(`\ufeff${page(1)}\ufeff${page(2)}`)).map(({ index, line, value }) => [index, line, value]),
    ).toEqual([
      [0, 2, { id: "1" }],
      [1, 4, { id: "2" }],
    ]);
  });

  test("C2 a hundred pages, cut anywhere and with blank lines between, are one list with the right lines", async () => {
    const page = (id: number) =>
      `<?xml version="1.0" encoding="UTF-8"?>\r\n<cj-api><!-- ${id} -->\r\n<links><link><id>${id}</id></link></links></cj-api>\r\n\r\n`;
    const file = Array.from({ length: 100 }, (_, id) => page(id)).join("");
    for (const chunkSize of [1, 5, 64, 1_000, 100_000]) {
      const records = await read(file, links, chunkSize);
      expect(records.map(({ index, line, value }) => [index, line, value])).toEqual(
        Array.from({ length: 100 }, (_, id) => [id, id * 4 + 3, { id: String(id) }]),
      );
    }
  });

  test("C2 text beside elements is kept apart from them", async () => {
    expect(await valueOf("<a>Save <b>10%</b> now</a>")).toEqual({ a: { b: "10%", "#text": "Save  now" } });
  });

  test("C2 an element that may repeat is a list, also where it stands once", async () => {
    expect(await valueOf("<actions><action><id>1</id></action></actions>")).toEqual({
      actions: { action: [{ id: "1" }] },
    });
    expect(await valueOf("<actions><action>1</action><action>2</action></actions>")).toEqual({
      actions: { action: ["1", "2"] },
    });
  });

  test("C2 attributes, comments, instructions and empty elements are left out, and a record without elements is empty", async () => {
    expect(
      await valueOf('<a t="&lt;">1</a><b/><c></c><d> \n </d><!-- <e>2</e> --><?f g?><actions><action/></actions>'),
    ).toEqual({ a: "1" });
    expect(await valueOf("")).toEqual({});
    expect((await read("<cj-api><links><link/></links></cj-api>"))[0]!.value).toEqual({});
  });

  test("C2 references are decoded once, and CDATA is taken as it is", async () => {
    expect(await valueOf("<a>&lt;b&gt; &amp;pound; &#163;&#xA3; &quot;&apos;</a>")).toEqual({ a: `<b> &pound; ££ "'` });
    expect(await valueOf("<a>x <![CDATA[<b> &amp; </a>]]> y</a>")).toEqual({ a: "x <b> &amp; </a> y" });
  });

  test("C2 numbers and words stay the text that was written", async () => {
    expect(await valueOf("<a>007</a><b>1e5</b><c>true</c><d>9007199254740993123</d>")).toEqual({
      a: "007",
      b: "1e5",
      c: "true",
      d: "9007199254740993123",
    });
  });

  test("C2 any text is read as it was written, however its bytes are cut", async () => {
    const escaped = (text: string) => text.replaceAll(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: "grapheme", minLength: 1 }).map((text) => `.${text}.`),
          { minLength: 1 },
        ),
        fc.integer({ min: 1, max: 50 }),
        async (texts, chunkSize) => {
          const records = texts.map((text) => `<link><a>${escaped(text)}</a></link>`).join("\n");
          const values = await read(`<cj-api><links>${records}</links></cj-api>`, links, chunkSize);
          expect(values.map(({ value }) => value)).toEqual(texts.map((a) => ({ a })));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("C2 a file is read in the encoding that it declares", () => {
  const text = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><cj-api><links><link><a>Café £5</a></link></links></cj-api>`;
  const utf16 = (swap: boolean) => {
    const bytes = Buffer.from(`\ufeff${text("UTF-16")}`, "utf16le");
    return swap ? bytes.swap16() : bytes;
  };
  test.each([
    ["UTF-8", Buffer.from(text("UTF-8"))],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${text("utf-8")}`)],
    ["ISO-8859-1", Buffer.from(text("ISO-8859-1"), "latin1")],
    ["Windows-1252", Buffer.from(text("windows-1252"), "latin1")],
    ["UTF-16, little end first", utf16(false)],
    ["UTF-16, big end first", utf16(true)],
  ])("C2 %s", async (_, bytes) => {
    expect((await read(bytes)).map(({ value }) => value)).toEqual([{ a: "Café £5" }]);
  });

  test.each([
    [Buffer.from(text("UTF-8"), "latin1"), /not UTF-8 text, which it says it is/],
    [Buffer.from(text("EBCDIC-CP-US")), /encoding, "EBCDIC-CP-US", can't be read. Save it as UTF-8/],
    [Buffer.from(text("UTF-16"), "utf16le"), /UTF-16 without a byte order mark/],
    [Buffer.from([0x1f, 0x8b, 8, 0, 0]), /not UTF-8 text.*without compression/],
  ])("C2 other bytes are refused, not replaced with question marks (%#)", async (bytes, message) => {
    const problem = await problemOf(bytes);
    expect(problem.message).toMatch(message);
  });
});

const page = (record: string) => `<cj-api>\n<links>\n<link>\n${record}\n</link>\n</links>\n</cj-api>`;

test.each([
  ["", null, /empty \(0 bytes\)/],
  [" \n ", null, /only spaces/],
  ['{"links": []}', 1, /not an XML file: it starts with "\{"/],
  ["advertiser-id,name", 1, /not an XML file/],
  ["<html><body>Sign in</body></html>", 1, /Found <html> where <cj-api> is expected/],
  [
    "<cj-api>\n<error-message>Not Authenticated: x</error-message>\n</cj-api>",
    2,
    /returned an error.*"Not Authenticated: x"/,
  ],
  [page("<a>1</a>").split("\n</link>")[0]!, 4, /cut off: it ends inside <link>, opened on line 3/],
  ["<cj-api>\n<links", 2, /cut off/],
  [page("<a>\n<b>1</a>"), 5, /does not close <b> of line 5/],
  [page("<a>1</a></a>"), 4, /does not close <link> of line 3/],
  [page("<a>\nBed & Bath</a>\n<b>\nFish &amp; chips</b>"), 5, /found "&" without a name and ";"; write &amp; for it/],
  [page("<a>\nBed & Bath;</a>"), 5, /found "&" without a name/],
  [page("<a>\nBed & Bath</a>"), 4, /begins in <a> does not end: write &amp; for "&"/],
  [page("<a><![CDATA[1</a>"), 4, /begins in <a> does not end: .*look for a quote or a comment/],
  [page('<a b="1>2</a>'), 4, /disallowed character/],
  [page("<a>\u0001</a>"), 4, /disallowed character/],
  [page("<a>x ]]> y</a>"), 4, /"\]\]>" is disallowed/],
  [page('<a b="1" b="2">x</a>'), 4, /duplicate attribute: b/],
  ['<cj-api/><?xml version="2.0"?><cj-api/>', 1, /version number/],
  [page("<a>&pound;5</a>"), 4, /&pound; is not one of XML's own references/],
  [page("<a>&#0;</a>"), 4, /number between &# and ; is not that of a character/],
  [page("<a>&#xD800;</a>"), 4, /number between &# and ;/],
  [page("<a>&#x110000;</a>"), 4, /number between &# and ;/],
  [page("<a>1 < 2</a>"), 4, /found "<" that begins no tag; write &lt; for it/],
  [page("<a b=1>x</a>"), 4, /unquoted attribute value/],
  [page("<__proto__>1</__proto__>"), 4, /name that can't be read/],
  ["<cj-api/>\nmore", 2, /found "m" after the end/],
  ["<cj-api/></cj-api>", 1, /unmatched closing tag: cj-api/],
  ["<cj-api></cj-apo>", 1, /does not close <cj-api> of line 1/],
  ["<cj-api/>\n<cj-apo/>", 2, /Found <cj-apo> where <cj-api> is expected/],
])("C2 a broken file is refused with the line and what to do: %j", async (text, line, message) => {
  const problem = await problemOf(text);
  expect(problem.message).toMatch(message);
  expect(problem.line).toBe(line);
  expect(problem.message).not.toMatch(/\bat \S+:\d+/);
});

describe("S2 XML cannot make the import read or grow what is not in the file", () => {
  const bomb = `<!ENTITY a "${"ha".repeat(50)}"><!ENTITY b "${"&a;".repeat(50)}">`;
  test.each([
    `<!DOCTYPE cj-api SYSTEM "file:///etc/passwd">${page("<a>1</a>")}`,
    `<?xml version="1.0"?><!DOCTYPE cj-api [${bomb}]>${page("<a>&b;</a>")}`,
    `<!doctype html>${page("")}`,
    page(`<!DOCTYPE x [<!ENTITY e SYSTEM "http://127.0.0.1/">]><a>&e;</a>`),
    page('<!ENTITY e "x"><a>1</a>'),
  ])("S2 a DOCTYPE or entity is refused wherever it stands (%#)", async (text) => {
    expect((await problemOf(text)).message).toMatch(/document type \(DOCTYPE\) or another declaration/);
  });

  test.each([
    ["a record", page(`<a>${"x".repeat(1_100_000)}</a>`)],
    ["a record of many elements", page("<a>1</a>".repeat(150_000))],
    ["a comment", `<cj-api><!-- ${"x".repeat(1_100_000)}`],
    ["a tag", `<cj-api><links a="${"x".repeat(1_100_000)}`],
    ["text between records", `<cj-api>${"x".repeat(1_100_000)}`],
  ])("S2 %s without an end is refused at the maximum length", async (_, text) => {
    const bytes = new TextEncoder().encode(text);
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    }
    await expect(async () => {
      for await (const _record of readXmlRecords(chunks(), links));
    }).rejects.toThrow(/longer than 1000000 characters/);
  });

  test("S2 elements nested without end are refused", async () => {
    expect((await problemOf(page("<a>".repeat(100)))).message).toMatch(/nested more than 64 deep/);
  });

  test("S2 any bytes are read or refused, and nothing else is thrown", async () => {
    const piece = fc.constantFrom(
      ..."<>&;/!?[]-='\" \n",
      "<link>",
      "</link>",
      "<![CDATA[",
      "]]>",
      "<!--",
      "-->",
      "<a/>",
      "&amp;",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), async (pieces) => {
        const text = `<cj-api><links>${pieces.join("")}</links></cj-api>`;
        await read(text, links, 5).catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableFileError));
      }),
      { numRuns: 500 },
    );
  });
});

test("C2 ten thousand records are read as their bytes arrive: no more than a chunk is ever held", async () => {
  const record = (id: number) =>
    `<link><link-id>${id}</link-id><description>${"x".repeat(1_000)}</description></link>\n`;
  const encoder = new TextEncoder();
  let sent = 0;
  async function* chunks() {
    yield encoder.encode("<cj-api><links>\n");
    for (let id = 0; id < 10_000; id += 50) {
      yield encoder.encode(Array.from({ length: 50 }, (_, i) => record(id + i)).join(""));
      sent = id + 50;
    }
    yield encoder.encode("</links></cj-api>");
  }
  let count = 0;
  for await (const { value, line } of readXmlRecords(chunks(), links)) {
    expect(value).toMatchObject({ "link-id": String(count) });
    expect(line).toBe(count + 2);
    count += 1;
    // `sent` is behind by the chunk that is being read: every record of the chunks before it has been returned.
    expect(count).toBeGreaterThan(sent);
  }
  expect(count).toBe(10_000);
});
