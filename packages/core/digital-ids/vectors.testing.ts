/** Bytes 0 to 31. */
export const vectorSecret: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 32 }, (_, index) => index);

/**
 * The signs that server and browser must both compute: the first 30 bits of HMAC-SHA256(secret, text). Computed with
 * Python's hmac, independently of our code.
 */
export const codeVectors = [
  { handle: "K7Q29M", step: 0, sign: "M2GDDV" },
  { handle: "K7Q29M", step: 1, sign: "0FM68N" },
  { handle: "K7Q29M", step: 59720040, sign: "PYVRR6" },
  { handle: "000000", step: 59720040, sign: "6ZZ1KD" },
  { handle: "ZZZZZZ", step: 2147483648, sign: "3RE9GE" },
];
