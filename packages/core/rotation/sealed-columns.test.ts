import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { sealedColumns } from "./sealed-columns.server.ts";

const root = join(import.meta.dirname, "../../..");
const { db } = await testDatabase();
/** `table.column` of each entry; several entries may be of one column. */
const listed = new Set(sealedColumns.map(({ name }) => name.split(" ")[0]));

/** Columns whose names sound encrypted and that are not. */
const NOT_ENCRYPTED: Record<string, string> = {
  "attachments.sha256": "a hash",
  "attachment_deletions.sha256": "a hash",
  "member_passkeys.public_key": "public",
  "network_events.raw": "what a network pushed, as it came",
  "network_events.dedupe_key": "a hash",
};

test("S1 every column that sounds encrypted is in the list of what a rotation encrypts again", async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'bytea')
      and (column_name ~ '(seal|secret|payee|cipher|crypt)'
        or (data_type = 'bytea' and column_name !~ '(hash|mark)$'))`.execute(db);
  const names = rows.map(({ name }) => name);
  expect(names.filter((name) => !listed.has(name) && !(name in NOT_ENCRYPTED))).toEqual([]);
  expect([...listed].filter((name) => name === undefined || !names.includes(name))).toEqual([]);
});

/** What encrypts, and the columns that each caller writes to. A caller that is not here has forgotten the list. */
const WRITERS: Record<string, string[]> = {
  "packages/core/sign-in/second-factor-setup.server.ts": ["member_second_factors.secret"],
  "packages/core/operators/sign-in.server.ts": ["operator_second_factors.secret"],
  "apps/server/development/seed-operators.ts": ["operator_second_factors.secret"],
  "packages/core/secrets/kept-keys.server.ts": ["kept_keys.sealed"],
  "packages/core/bank-details/operations.server.ts": ["bank_details.sealed"],
  "apps/server/development/seed-payouts.ts": ["bank_details.sealed"],
  "packages/core/payouts/batch.server.ts": ["payouts.payee"],
  "packages/core/closures/operations.server.ts": ["closures.payee"],
  "packages/core/gift-cards/advance-line.server.ts": ["gift_card_lines.sealed_card"],
  "packages/core/attachments/store.server.ts": ["attachment_parts.bytes"],
};

/** Files that encrypt what they are given, and the rotation itself. */
const TOOLS = [
  "packages/core/secrets/sealed-secret.ts",
  "packages/core/rotation/sealed-columns.server.ts",
  "packages/core/bank-details/bank-seal.ts",
  "packages/core/bank-details/rotate-details.server.ts",
  "packages/core/closures/payee-seal.ts",
  "packages/core/gift-cards/card-seal.ts",
  "packages/core/gift-cards/rotate-cards.server.ts",
  "packages/core/attachments/cipher.ts",
  "packages/core/attachments/rotate-attachments.server.ts",
];

test("S1 every file that encrypts writes to a column of the list, and every column of the list has one", () => {
  const files = globSync("{apps,packages}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: (name) => name === "node_modules" || /\.(test|testing)\.tsx?$/.test(name),
  });
  const encrypting = files.filter((file) =>
    /\b(createCipheriv|seal(Secret|BankAccount|Payee|Card)|partCipher)\(|\bseal: (\{|secret)/.test(
      readFileSync(join(root, file), "utf8"),
    ),
  );
  expect(encrypting.filter((file) => !(file in WRITERS) && !TOOLS.includes(file))).toEqual([]);
  expect(Object.keys(WRITERS).filter((file) => !encrypting.includes(file))).toEqual([]);
  expect(new Set(Object.values(WRITERS).flat())).toEqual(listed);
});
