/** Limits that a claim's form and its rules share; apart, because the browser loads nothing else of them. */

/** Order numbers are printable ASCII, 1 to 60 characters. */
export const ORDER_PATTERN = "[!-~]([ -~]{0,58}[!-~])?";

/** Characters in which a member says what is wrong. */
export const MAX_WORDS = 300;
