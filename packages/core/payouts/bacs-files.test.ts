import { describe, expect, test } from "vitest";
import { bacsText, batchCsv, standard18 } from "./bacs-files.ts";
import { account, originator } from "./payouts.testing.ts";

const batch = {
  batchNumber: 7,
  madeAt: new Date("2026-11-23T10:00:00Z"),
  processingDay: "2026-11-24",
  payments: [
    { reference: "FPAAAAAAAAA2", amountPence: 600, destination: account },
    {
      reference: "FPAAAAAAAAA3",
      amountPence: 123_456,
      destination: { name: "=Zoë O’Neill-Brontë & Daughters", sortCode: "107999", accountNumber: "88837491" },
    },
  ],
};

describe("C6 the file for Bacs", () => {
  const lines = standard18(batch, originator).split("\r\n");

  test("C6 has labels of 80 characters, records of 100, and the totals of what is in it", () => {
    expect(lines.map((line) => line.slice(0, 4))).toEqual([
      "VOL1",
      "HDR1",
      "HDR2",
      "UHL1",
      "0899",
      "1079",
      "2000",
      "EOF1",
      "EOF2",
      "UTL1",
      "",
    ]);
    expect(lines.map((line) => line.length)).toEqual([80, 80, 80, 80, 100, 100, 100, 80, 80, 80, 0]);
    expect(lines[9]).toBe(`UTL1${"0000000124056"}${"0000000124056"}${"0000001"}${"0000002"}${" ".repeat(36)}`);
  });

  test("C6 each label has its fields where Standard 18 has them", () => {
    const [volume = "", header = "", format = "", user = ""] = lines;
    expect([volume.slice(4, 10), volume.slice(41, 47), volume[79]]).toEqual(["000007", "123456", "1"]);
    expect([header.slice(4, 21), header.slice(21, 27)]).toEqual(["A123456S  1123456", "000007"]);
    expect([header.slice(41, 47), header.slice(47, 53)]).toEqual([" 26327", " 26328"]);
    expect(format.slice(0, 15)).toBe("HDR2F0200000100");
    expect([user.slice(4, 10), user.slice(10, 20), user.slice(20, 28)]).toEqual([" 26328", "999999    ", "00000000"]);
    expect([user.slice(28, 37), user.slice(37, 40)]).toEqual(["1 DAILY  ", "001"]);
  });

  test("C6 each record has account, amount, reference and name, and the contra takes their sum from ours", () => {
    expect(lines[5]).toBe(
      "107999888374910992000005577991100000000123456".replace("5577991100000000123456", "55779911    00000123456") +
        "THE CLUB          FPAAAAAAAAA3      ZOE ONEILL-BRONTE ",
    );
    expect(lines[6]).toBe(
      "200000557799110172000005577991100000124056".replace("5577991100000124056", "55779911    00000124056") +
        "THE CLUB          CONTRA            THE CLUB          ",
    );
  });

  test("C6 text for Bacs has its characters alone, and 18 of them", () => {
    expect(bacsText("Łukasz\r\n\u0000Smith")).toBe(" UKASZ SMITH".trim().padEnd(18));
    for (const text of ["", "x".repeat(40), "Ada", "日本"]) expect(bacsText(text)).toMatch(/^[A-Z0-9.\-/& ]{18}$/);
  });

  test("C6 the CSV file has a line for each payment, and no cell begins a formula", () => {
    expect(batchCsv(batch).split("\r\n")).toEqual([
      "sort_code,account_number,name,amount,reference,processing_day",
      "08-99-99,66374958,Ada Lovelace,6.00,FPAAAAAAAAA2,2026-11-24",
      "10-79-99,88837491,'=Zoë O’Neill-Brontë & Daughters,1234.56,FPAAAAAAAAA3,2026-11-24",
      "",
    ]);
  });

  test("C6 a batch over the amount that a file can have is refused", () => {
    const huge = { ...batch, payments: [{ ...batch.payments[0]!, amountPence: 100_000_000_000 }] };
    expect(() => standard18(huge, originator)).toThrow(RangeError);
  });
});
