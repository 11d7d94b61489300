/** Inputs that no browser sends by itself, for tests that send them to every route. */

/** Returns the route's path with `odd` in place of every parameter and wildcard. */
export const filledIn = (path: string, odd = "x") => path.replaceAll(/:[a-z]+(\{[^}]*\})?\??|\*/gi, odd);
export const hasPlace = (path: string) => filledIn(path, "") !== path;

/**
 * Percent-encoded bytes that are not text: NUL, a lone surrogate, a byte that is not UTF-8. readable-input.test.ts has
 * more of them.
 */
export const unreadable = ["%00", "%ED%A0%80", "%FF"];

/** Returns a form in which every field has the value. */
export const fieldsOf = (names: readonly string[], value: string) => names.map((name) => `${name}=${value}`).join("&");

export const form = "application/x-www-form-urlencoded";

export interface OddBody {
  /** Null sends none. */
  type: string | null;
  body: string;
  /** A body refused for its type or its bytes alone gets 415 or 400. */
  isRefused?: true;
}

/** Returns bodies by what is odd in them; `names`: the fields that forms have. */
export const oddBodies = (names: readonly string[]): Record<string, OddBody> => ({
  "an empty form": { type: form, body: "" },
  "a form that is odd but readable": { type: form, body: "%=%&&=&a&50%=50%&__proto__=x&=x&%5C=%5C&emoji=%F0%9F%91%8B" },
  // What every object of JavaScript has: a table that is looked into by it has no gap.
  "every field as __proto__": { type: form, body: fieldsOf(names, "__proto__") },
  "every field as constructor": { type: form, body: fieldsOf(names, "constructor") },
  "every field as an emoji, long": { type: form, body: fieldsOf(names, "%F0%9F%91%8B".repeat(60)) },
  ...Object.fromEntries(
    unreadable.map((odd) => [
      `every field as ${odd}`,
      { type: form, body: fieldsOf(names, odd), isRefused: true as const },
    ]),
  ),
  "a name that can't be read": { type: form, body: "%00=x&intent=x", isRefused: true },
  "bytes that are not UTF-8": { type: form, body: "intent=\xff", isRefused: true },
  "a raw NUL": { type: form, body: "intent=a\0b", isRefused: true },
  "JSON in a field with a NUL": {
    type: form,
    body: `answer=${encodeURIComponent('{"id":"a\\u0000"}')}`,
    isRefused: true,
  },
  "JSON in a field with half a pair": {
    type: form,
    body: `answer=${encodeURIComponent('{"id":["\\ud800"]}')}`,
    isRefused: true,
  },
  "JSON in a field with a percent-encoded escape": {
    type: form,
    body: "answer=%7B%22id%22%3A%22a%5c%750000%22%7D",
    isRefused: true,
  },
  "JSON with half a pair behind a byte order mark": {
    type: "application/json",
    body: '\uFEFF{"a":"\\ud800","reference":"x\\ud800y"}',
    isRefused: true,
  },
  "no type": { type: null, body: "intent=x", isRefused: true },
  "no type and no body": { type: null, body: "", isRefused: true },
  "an empty type": { type: "", body: "intent=x", isRefused: true },
  "an unknown type": { type: "x/y", body: "intent=x", isRefused: true },
  "what is no type": { type: ";;,", body: "intent=x", isRefused: true },
  "plain text": { type: "text/plain", body: "intent=x", isRefused: true },
  XML: { type: "application/xml", body: "<a/>", isRefused: true },
  "JSON with a NUL": { type: "application/json", body: '{"a":["x\\u0000"]}', isRefused: true },
  "JSON with half a pair": { type: "application/json", body: '{"a":{"\\ud800":1}}', isRefused: true },
  "JSON with another type's name": {
    type: "application/vnd.x+json; charset=x",
    body: '{"a":"\\udfff"}',
    isRefused: true,
  },
  "JSON that nests": { type: "application/json", body: "[".repeat(60_000) + "]".repeat(60_000) },
  "JSON that is none": { type: "application/json", body: "{" },
  "a form in parts without a boundary": { type: "multipart/form-data", body: "x" },
  "a form in parts with an empty boundary": { type: "multipart/form-data; boundary=", body: "--\r\n\r\n----" },
  "a form in parts, cut off": {
    type: "multipart/form-data; boundary=x",
    body: '--x\r\nContent-Disposition: form-data; name="a"',
  },
  "a form in parts with a NUL": {
    type: "multipart/form-data; boundary=x",
    body: '--x\r\nContent-Disposition: form-data; name="intent"\r\n\r\na\0b\r\n--x--\r\n',
  },
});

/** Every request header that a route or middleware reads, except those that frame the message. */
export const headerNames = [
  ...["accept", "accept-encoding", "accept-language", "authorization", "cookie", "farthing-signature"],
  ...["idempotency-key", "if-modified-since", "if-none-match", "origin", "range", "referer", "sec-fetch-dest"],
  ...["sec-fetch-mode", "sec-fetch-site", "sec-purpose", "stripe-signature", "user-agent", "x-request-id"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"],
];
/** A header is bytes, which Node reads as Latin-1. A raw NUL is refused by its parser (raw-requests.test.ts). */
export const oddHeaders = ["%00", "\u00ff", "\u00ed\u00a0\u0080", 't=1,v1=\u00ff;=;"', "a".repeat(4000)];
