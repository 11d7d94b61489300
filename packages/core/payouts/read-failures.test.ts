import { describe, expect, test } from "vitest";
import { FailuresFileError } from "./provider.ts";
import { readFailures } from "./read-failures.server.ts";

const item = (
  attributes: string,
  inner = '<ReceiverAccount ref="FPAAAAAAAAA2" name="A LOVELACE" number="66374958"/>',
) => `<ReturnedCreditItem ${attributes}>${inner}</ReturnedCreditItem>`;
const arucs = (items: string) => `<?xml version="1.0" encoding="UTF-8"?>
<BACSDocument><Data><ARUCS><Header reportType="REFT2019" currentProcessingDate="2026-11-26"/>
<OriginatingAccountRecords><OriginatingAccountRecord><OriginatingAccount name="THE CLUB" number="55779911"/>
${items}
</OriginatingAccountRecord></OriginatingAccountRecords></ARUCS></Data></BACSDocument>`;

describe("C6 the bank's report of what did not arrive", () => {
  test.each([
    ["0", "no_account", "invalid details"],
    ["2", "payee_deceased", "payee deceased"],
    ["3", "account_moved", "account moved to another bank"],
    ["5", "no_account", "no such account"],
    ["B", "account_closed", "account closed"],
    ["C", "recalled", "called back by us"],
    ["Z", "refused", "a code that we don’t know"],
  ])("C6 ARUCS code %s means %s, and is shown as %s", (code, reason, means) => {
    const text = arucs(
      item(`transCode="RA" returnCode="${code}" returnDescription="WHY" valueOf="6.00" currency="GBP"`),
    );
    expect(readFailures(text)).toEqual([
      { reference: "FPAAAAAAAAA2", amountPence: 600, reason, said: `${code}, ${means} (WHY)` },
    ]);
  });

  test("C6 our reference is found on the item or on an account in it, one for each item", () => {
    const text = arucs(
      item('ref="FPAAAAAAAAA3" returnCode="B" valueOf="1.00"', "") + item('returnCode="0" valueOf="1234.56"'),
    );
    expect(readFailures(text)).toMatchObject([
      { reference: "FPAAAAAAAAA3", amountPence: 100 },
      { reference: "FPAAAAAAAAA2", amountPence: 123_456 },
    ]);
  });

  test("C6 a CSV file is read by its header, whatever the order of its columns", () => {
    expect(
      readFailures(
        "\uFEFFCode,Amount,Reference,Description\r\nB,6.00,fpaaaaaaaaa2,Closed\r\n\r\n0,7,FPAAAAAAAAA3,\r\n",
      ),
    ).toEqual([
      { reference: "FPAAAAAAAAA2", amountPence: 600, reason: "account_closed", said: "B, account closed (Closed)" },
      { reference: "FPAAAAAAAAA3", amountPence: 700, reason: "no_account", said: "0, invalid details" },
    ]);
  });

  test("C6 a reference of another form is quoted: it is not ours, and the other lines are read", () => {
    expect(readFailures("reference,amount,code\nNOTAREF12345,10.00,0\nFPAAAAAAAAA2,6.00,B\n")).toMatchObject([
      { reference: "NOTAREF12345", amountPence: 1000 },
      { reference: "FPAAAAAAAAA2", amountPence: 600 },
    ]);
    const foreign = '<PayerAccount ref="SALARY"/><ReceiverAccount ref="RENT"/>';
    const ours = '<PayerAccount ref="SALARY"/><ReceiverAccount ref="FPAAAAAAAAA2"/>';
    expect(
      readFailures(arucs(item('returnCode="B" valueOf="6.00"', foreign) + item('returnCode="B" valueOf="6.00"', ours))),
    ).toMatchObject([{ reference: "SALARY" }, { reference: "FPAAAAAAAAA2" }]);
  });

  test("C6 a long text is cut to one that the database can keep, also within a character of two halves", () => {
    const [reference, description] = [`${"R".repeat(39)}😀`, `${"x".repeat(180)}😀`];
    const [line] = readFailures(`reference,amount,code,description\n${reference},6.00,B,${description}\n`);
    expect(line).toMatchObject({
      reference: `${"R".repeat(39)}\ufffd`,
      said: `B, account closed (${"x".repeat(180)}\ufffd`,
    });
  });

  test.each([
    ["nothing", "", /no column|names no/],
    ["no returned payment", arucs(""), /names no returned payment/],
    ["half a document", arucs(item('returnCode="B" valueOf="6.00"')).slice(0, -30), /well-formed/],
    ["another report", "<BACSDocument><ARUDD/></BACSDocument>", /no ARUCS report/],
    ["a document type", '<!DOCTYPE x [<!ENTITY a "aa">]><ARUCS/>', /document type/],
    ["another currency", arucs(item('returnCode="B" valueOf="6.00" currency="EUR"')), /EUR/],
    ["an amount that is none", arucs(item('returnCode="B" valueOf="six"')), /Line 4: six/],
    ["a negative amount", arucs(item('returnCode="B" valueOf="-6.00"')), /not an amount/],
    ["no reference", arucs(item('returnCode="B" valueOf="6.00"', "")), /has no reference/],
    ["no code", "reference,amount,code\nFPAAAAAAAAA2,6.00,\n", /Line 2: the payment has no code/],
    ["CSV without the columns", "reference,amount\nFPAAAAAAAAA2,6.00\n", /no column code/],
    ["CSV with a line too short", "reference,amount,code\nFPAAAAAAAAA2\n", /no CSV file/],
  ])("C6 %s is refused as a whole, with what to do", (_, text, message) => {
    expect(() => readFailures(text)).toThrow(FailuresFileError);
    expect(() => readFailures(text)).toThrow(message);
  });

  test("C6 every line that is wrong is named, so that one correction is enough", () => {
    const lines = ["reference,amount,code", ",6.00,B", "FPAAAAAAAAA2,6.00,B", "FPAAAAAAAAA3,six,B"];
    expect(() => readFailures(lines.join("\n"))).toThrow(
      /^Line 2: the payment has no reference.* Line 4: six is not an amount/,
    );
    const many = Array.from({ length: 50 }, () => ",6.00,B");
    expect(() => readFailures(["reference,amount,code", ...many].join("\n"))).toThrow(
      /Line 21: [^L]*30 more lines are wrong\.$/,
    );
  });
});
