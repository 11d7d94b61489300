import { REQUIRED_MESSAGE } from "./rules.ts";

/**
 * The table of cases for the rules of forms (M3). Core's tests run it on the functions, the pages' tests on the
 * server's answers, and e2e/registration.e2e.ts in the browser.
 */

const longest = `Aa1${"x".repeat(125)}`;

export const passwordCases: { password: string; isGood: boolean; why: string }[] = [
  { password: "Marigold-Kettle", isGood: true, why: "a special character instead of a digit" },
  { password: "kettleG1", isGood: true, why: "8 characters, each kind" },
  { password: "Grüße aus Köln 7", isGood: true, why: "letters of any script, and spaces" },
  { password: longest, isGood: true, why: "128 characters" },
  { password: "", isGood: false, why: "nothing" },
  { password: "Abcde1!", isGood: false, why: "7 characters" },
  { password: "abcdefg1", isGood: false, why: "no uppercase letter" },
  { password: "ABCDEFG1", isGood: false, why: "no lowercase letter" },
  { password: "Abcdefgh", isGood: false, why: "no digit or special character" },
  { password: "Abcd efgh", isGood: false, why: "a space is no special character" },
];

/** One character too many: it can't be typed into the field, but it can be sent. */
export const overlongPassword = `${longest}x`;

export const confirmCases: { password: string; confirmation: string; isGood: boolean; why: string }[] = [
  { password: "Marigold-Kettle", confirmation: "Marigold-Kettle", isGood: true, why: "the same" },
  { password: "Marigold-Kettle", confirmation: "Marigold-kettle", isGood: false, why: "another case" },
  { password: "Marigold-Kettle", confirmation: "Marigold-Kettle ", isGood: false, why: "a space more" },
  { password: "short", confirmation: "short", isGood: false, why: "the same, but not by the rule" },
  { password: "Marigold-Kettle", confirmation: "", isGood: false, why: "nothing" },
];

/** The browser's message about a field, and the form's message for it. */
export const fieldCases = [
  { isValid: true, isValueMissing: false, browserMessage: "", message: null },
  { isValid: false, isValueMissing: true, browserMessage: "Please fill in this field.", message: REQUIRED_MESSAGE },
  {
    isValid: false,
    isValueMissing: false,
    browserMessage: "Please enter an email.",
    message: "Please enter an email.",
  },
  {
    isValid: false,
    isValueMissing: false,
    browserMessage: "Please match the requested format.",
    hint: "Six digits, like 20-00-00.",
    message: "Please match the requested format. Six digits, like 20-00-00.",
  },
  {
    isValid: false,
    isValueMissing: false,
    browserMessage: "Match the requested format",
    hint: "Six digits, like 20-00-00.",
    message: "Match the requested format. Six digits, like 20-00-00.",
  },
  {
    isValid: false,
    isValueMissing: false,
    browserMessage: "Please match the requested format: Six digits, like 20-00-00.",
    hint: "Six digits, like 20-00-00.",
    message: "Please match the requested format: Six digits, like 20-00-00.",
  },
];

/** Typed key by key. */
export const typedDateCases: { keys: string; text: string; why: string }[] = [
  { keys: "051126", text: "05-11-26", why: "dashes come by themselves" },
  { keys: "5", text: "05-", why: "no day begins with 5" },
  { keys: "3", text: "3", why: "30 or 31 may follow" },
  { keys: "39", text: "31-", why: "no day after 31" },
  { keys: "00", text: "01-", why: "no day before 1" },
  { keys: "0513", text: "05-12-", why: "no month after 12" },
  { keys: "0500", text: "05-01-", why: "no month before 1" },
  { keys: "5/3/26", text: "05-03-26", why: "other signs between the parts" },
  { keys: "05112", text: "05-11-2", why: "not whole yet" },
  { keys: "05-11-26", text: "05-11-26", why: "dashes that are typed count once" },
  { keys: "05112026", text: "05-11-26", why: "a year with four digits" },
  { keys: "05-11-1988", text: "05-11-88", why: "a year of the last century" },
  { keys: "0511202", text: "05-11-2", why: "the third digit of a year begins the two that count" },
  { keys: "0511267", text: "05-11-26", why: "no third digit after another year" },
  { keys: "ab05cd", text: "05-", why: "letters are left out" },
];

/** Three selects to one text. */
export const dateTextCases: { day: string; month: string; year: string; text: string | null; why: string }[] = [
  { day: "5", month: "11", year: "1988", text: "05-11-1988", why: "two digits each" },
  { day: "29", month: "2", year: "1988", text: "29-02-1988", why: "a leap year" },
  { day: "29", month: "2", year: "1989", text: null, why: "no leap year" },
  { day: "31", month: "4", year: "1990", text: null, why: "April has 30 days" },
  { day: "", month: "4", year: "1990", text: null, why: "no day" },
  { day: "5", month: "", year: "1990", text: null, why: "no month" },
  { day: "5", month: "4", year: "", text: null, why: "no year" },
  { day: "5", month: "4", year: "90", text: null, why: "half a year" },
  { day: "-1", month: "4", year: "1990", text: null, why: "not a day" },
];
