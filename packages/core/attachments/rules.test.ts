import { describe, expect, test } from "vitest";
import { attachmentAccept, attachmentLimits, cleanFileName, typeByName, uploadProblems } from "./rules.ts";

describe("M4 what may be uploaded", () => {
  test("M4 allows 1 byte to 20 MB; jpeg, jpg, png, bmp, gif and pdf", () => {
    expect(attachmentLimits).toEqual({ minBytes: 1, maxBytes: 20_971_520 });
    expect(attachmentAccept).toBe(".jpeg,.jpg,.png,.bmp,.gif,.pdf");
  });

  test.each([
    ["a.JPG", "image/jpeg"],
    ["a.jpeg", "image/jpeg"],
    ["a.PnG", "image/png"],
    ["a.b.gif", "image/gif"],
    ["a.bmp", "image/bmp"],
    ["A.PDF", "application/pdf"],
    ["a.svg", null],
    ["a.jpg.exe", null],
    ["jpg", null],
    ["a.jpg ", null],
    ["a.", null],
    ["", null],
    ["a.constructor", null],
  ])("M4 the extension decides, in upper or lower case: %j is %j", (name, type) => expect(typeByName(name)).toBe(type));

  test("M4 the messages are those of the specification", () => {
    expect(uploadProblems["too-large"].title).toBe("File is too large");
    expect(uploadProblems["too-small"].title).toBe("File is too small");
    expect(uploadProblems["invalid-type"].title).toBe("File is of invalid type");
  });

  test.each([
    ["payslip.pdf", "payslip.pdf"],
    ["C:\\Users\\ada\\payslip.pdf", "payslip.pdf"],
    ["/home/ada/payslip.pdf", "payslip.pdf"],
    ["a/b\\c.pdf", "c.pdf"],
    ["a\\b/c.pdf", "c.pdf"],
    ["c.pdf/", "attachment"],
    ["c.pdf\\", "attachment"],
    [" my\t payslip\u2028 .pdf ", "my payslip .pdf"],
    ["in\u202efdp.exe", "infdp.exe"],
    ["cafe\u0301.pdf", "caf\u00e9.pdf"],
    ["x".repeat(200), "x".repeat(200)],
    [`${"x".repeat(197)}.pdf`, `${"x".repeat(180)}…${"x".repeat(15)}.pdf`],
  ])("S1 the name %j is stored as %j", (sent, kept) => expect(cleanFileName(sent)).toBe(kept));

  test("S1 a name of invisible characters is replaced by a default", () => {
    expect(cleanFileName("\u0000\u202e")).toBe("attachment");
    expect(cleanFileName("../..")).toBe("..");
  });
});
