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
    ["0", "no_account"],
    ["2", "payee_deceased"],
    ["3", "account_moved"],
    ["5", "no_account"],
    ["B", "account_closed"],
    ["C", "recalled"],
    ["Z", "refused"],
  ])("C6 ARUCS code %s means %s", (code, reason) => {
    const text = arucs(
      item(`transCode="RA" returnCode="${code}" returnDescription="WHY" valueOf="6.00" currency="GBP"`),
    );
    expect(readFailures(text)).toEqual([{ reference: "FPAAAAAAAAA2", amountPence: 600, reason, said: `${code} WHY` }]);
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
      { reference: "FPAAAAAAAAA2", amountPence: 600, reason: "account_closed", said: "B Closed" },
      { reference: "FPAAAAAAAAA3", amountPence: 700, reason: "no_account", said: "0" },
    ]);
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
    ["no reference of ours", arucs(item('ref="SALARY" returnCode="B" valueOf="6.00"', "")), /no reference of ours/],
    ["CSV without the columns", "reference,amount\nFPAAAAAAAAA2,6.00\n", /no column code/],
    ["CSV with a line too short", "reference,amount,code\nFPAAAAAAAAA2\n", /no CSV file/],
  ])("C6 %s is refused as a whole, with what to do", (_, text, message) => {
    expect(() => readFailures(text)).toThrow(FailuresFileError);
    expect(() => readFailures(text)).toThrow(message);
  });

  test("C6 every line that is wrong is named, so that one correction is enough", () => {
    const lines = ["reference,amount,code", "SALARY,6.00,B", "FPAAAAAAAAA2,6.00,B", "FPAAAAAAAAA3,six,B"];
    expect(() => readFailures(lines.join("\n"))).toThrow(
      /^Line 2: no reference of ours.* Line 4: six is not an amount/,
    );
    const many = Array.from({ length: 50 }, () => "SALARY,6.00,B");
    expect(() => readFailures(["reference,amount,code", ...many].join("\n"))).toThrow(
      /Line 21: [^L]*30 more lines are wrong\.$/,
    );
  });
});
