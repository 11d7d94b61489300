/**
 * Faults that no test can notice, because they change no behaviour, or that no test should notice, each with the reason. Every other fault needs a
 * test. `source` is the exact line in the file; update the entry when the line changes.
 *
 * @type {{ file: string, source: string, faults: [was: string, replacement: string][], why: string }[]}
 */
export const survivors = [
  {
    file: "packages/core/cashback/timeline.ts",
    source:
      "entry.reasonCode !== null && isDeclineReason(entry.reasonCode) ? DECLINE_REASONS[entry.reasonCode] : null;",
    faults: [["entry.reasonCode !== null", "true"]],
    why: "null is not the name of a reason, so the other condition refuses it too.",
  },
  {
    file: "packages/core/ledger/rules.ts",
    source: ".sort(([a], [b]) => (a < b ? -1 : 1))",
    faults: [["a < b", "a <= b"]],
    why: "Names are keys of a map: no two are equal.",
  },
  {
    file: "packages/core/money/money.ts",
    source: "return shares.map((share) => (amount < 0 ? toPence(-share.floor) : toPence(share.floor)));",
    faults: [["amount < 0", "amount <= 0"]],
    why: "Zero is allocated as zeros, of either sign.",
  },
  {
    file: "packages/core/money/money.ts",
    source: 'export function parseMinorUnits(amount: string | number, currency = "GBP"): number {',
    faults: [['"GBP"', '""']],
    why: "Every unlisted code has two digits, including the empty one.",
  },
  {
    file: "packages/core/money/money.ts",
    source: 'return Math.abs(amount) < 1e-6 ? "0" : String(amount);',
    faults: [["Math.abs(amount) < 1e-6", "Math.abs(amount) <= 1e-6"]],
    why: "A millionth is written without an exponent, and rounds to zero in every currency.",
  },
  {
    file: "packages/core/payments/schema.ts",
    source: '.describe("Pence of pounds sterling."),',
    faults: [['"Pence of pounds sterling."', '""']],
    why: "Text of the partners' API document, which has its own test.",
  },
  {
    file: "packages/core/catalogue/rates.ts",
    source: "if (!best || rate > best.rate || (rate === best.rate && boost.endsAt > best.endsAt))",
    faults: [["boost.endsAt > best.endsAt", "boost.endsAt >= best.endsAt"]],
    why: "Of two boosts with the same rate and end, either may apply.",
  },
  {
    file: "packages/core/reveals/token.ts",
    source: 'return bytes.length === TOKEN_BYTES && bytes.toString("base64url") === token ? bytes : null;',
    faults: [["bytes.length === TOKEN_BYTES", "true"]],
    why: "A text of this length that encodes back to itself has the right number of bytes.",
  },
  {
    file: "packages/core/sign-in/counted-address.ts",
    source: 'const [head = "", tail = ""] = address.toLowerCase().split("%")[0]?.split("::") ?? [];',
    faults: [
      ['""', '"Stryker was here!"'],
      ["[]", '["Stryker was here"]'],
      ['""', '"Stryker was here!"'],
      ['address.toLowerCase().split("%")[0]?.split', 'address.toLowerCase().split("%")[0].split'],
    ],
    why: "Splitting returns at least one part; the defaults are for the compiler. A missing tail has no groups, and only the first four of eight are used.",
  },
  {
    file: "packages/core/sign-in/counted-address.ts",
    source: 'const right = tail.split(":").filter(Boolean);',
    faults: [['tail.split(":").filter(Boolean)', 'tail.split(":")']],
    why: "An empty group would come after the first four, and only those are used.",
  },
  {
    file: "packages/core/sign-in/counted-address.ts",
    source: 'const gap = address.includes("::")',
    faults: [['"::"', '""']],
    why: "Without a gap there are eight groups, and none is filled in.",
  },
  {
    file: "packages/core/sign-in/counted-address.ts",
    source: ": [];",
    faults: [["[]", '["Stryker was here"]']],
    why: "Anything after eight groups is not among the first four.",
  },
  {
    file: "packages/core/sign-in/rules.ts",
    source: 'const [local = "", domain = ""] = address.split("@");',
    faults: [
      ['""', '"Stryker was here!"'],
      ['""', '"Stryker was here!"'],
    ],
    why: "The address has both parts here; the defaults are for the compiler.",
  },
  {
    file: "packages/core/sign-in/rules.ts",
    source: 'const name = domain.split(".")[0] ?? "";',
    faults: [['""', '"Stryker was here!"']],
    why: "Splitting returns at least one part; the default is for the compiler.",
  },
  {
    file: "packages/core/sign-in/rules.ts",
    source: 'if (faults.length === 0) return "";',
    faults: [["faults.length === 0", "false"]],
    why: "Without faults there are no sentences, and joining none returns the same empty text.",
  },
  {
    file: "packages/core/sign-in/next-path.ts",
    source: 'if (next.startsWith("//") || !URL.canParse(next, BASE)) return fallback;',
    faults: [
      ['next.startsWith("//") || !URL.canParse(next, BASE)', "false"],
      ['next.startsWith("//") || !URL.canParse(next, BASE)', 'next.startsWith("//") && !URL.canParse(next, BASE)'],
      ['next.startsWith("//")', 'next.endsWith("//")'],
    ],
    why: "The next lines refuse the same paths: this is the first of two guards.",
  },
  {
    file: "packages/core/sign-in/next-path.ts",
    source: 'if (url.origin !== BASE || url.pathname.startsWith("//")) return fallback;',
    faults: [["url.origin !== BASE", "false"]],
    why: "Every path that reaches this line stays on its origin: this is the second of two guards.",
  },
  {
    file: "packages/core/sign-in/recovery-codes.ts",
    source: '.update(`${memberId}\\n${typedRecoveryCode(code) ?? ""}`)',
    faults: [['""', '"Stryker was here!"']],
    why: "Anything that is not a code hashes to a value that no stored code has.",
  },
  {
    file: "packages/core/secrets/sealed-secret.ts",
    source: 'const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);',
    faults: [['"utf8"', '""']],
    why: "Node's default encoding is UTF-8.",
  },
  {
    file: "packages/core/sign-in/totp.ts",
    source: "return new Secret({ size: 20 }).base32;",
    faults: [["{ size: 20 }", "{}"]],
    why: "Twenty bytes are the library's default; a test checks the length.",
  },
  {
    file: "packages/core/sign-in/totp.ts",
    source: "if (!/^\\d{6}$/.test(token)) return null;",
    faults: [
      ["/^\\d{6}$/", "/\\d{6}$/"],
      ["/^\\d{6}$/", "/^\\d{6}/"],
    ],
    why: "The library refuses a code of another length too.",
  },
  {
    file: "packages/widget/src/frame-address.ts",
    source: "} catch {",
    faults: [["{", "{}"]],
    why: "Returning undefined is as falsy as false.",
  },
  {
    file: "packages/widget/src/read-json-message.ts",
    source: "} catch {",
    faults: [["{", "{}"]],
    why: "An empty block returns undefined too.",
  },
];
