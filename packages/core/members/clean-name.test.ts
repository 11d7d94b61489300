import { expect, test } from "vitest";
import { readPayee } from "../bank-details/rules.ts";
import { cleanName, hasLetter } from "./clean-name.ts";

test.each([
  ["Ann \u202EtseT\u202C", "Ann tseT"],
  ["A\u200Bnn\u2060 \u00ADMarsh\uFEFF", "Ann Marsh"],
  ["  Ann   Marsh ", "Ann Marsh"],
  ["Zoe\u0308", "Zoë"],
  ["نامه\u200Cای", "نامه\u200Cای"],
])("M3 the name %j is kept as %j: what nobody sees can't turn or hide it", (typed, kept) => {
  expect(cleanName(typed)).toBe(kept);
});

test("M3 a name of marks that nobody sees has no letter, and names of any script have one", () => {
  for (const empty of ["\u200B\u2060", "\u200C\u200D", "123", "- -"]) expect(hasLetter(cleanName(empty))).toBe(false);
  for (const name of ["O’Brien", "李", "Ğ"]) expect(hasLetter(cleanName(name))).toBe(true);
});

test("C6 the name on a bank account is read in the same way", () => {
  const typed: Record<string, string> = { sort_code: "089999", account_number: "66374958" };
  const read = (payee_name: string) => readPayee((name) => ({ ...typed, payee_name })[name] ?? "");
  expect(read("\u200BAda \u202ELovelace").value?.name).toBe("Ada Lovelace");
  expect(read("\u200B\u2060").errors).toEqual({ payee_name: "** This is a required field" });
});
