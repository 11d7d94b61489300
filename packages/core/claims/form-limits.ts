/** Limits that a claim's form and its rules share; apart, because the browser loads nothing else of them. */

/** Order numbers are printable ASCII, 1 to 60 characters. */
export const ORDER_PATTERN = "[!-~]([ -~]{0,58}[!-~])?";

/**
 * What a member may type or paste as an order number, for the browser's own check: also with spaces around it, and with
 * the spaces, dashes and unseen characters of other alphabets that e-mails and apps put in. `readOrder` replaces them.
 */
export const TYPED_ORDER_PATTERN = String.raw`\s*[!-~\p{Pd}\u2212\p{Cf}]([ -~\p{Zs}\p{Pd}\u2212\p{Cf}]{0,58}[!-~\p{Pd}\u2212\p{Cf}])?\s*`;

/** Characters that an order number's field takes: room for what `readOrder` removes. */
export const MAX_TYPED_ORDER = 100;

/** Characters in which a member says what is wrong. */
export const MAX_WORDS = 300;
