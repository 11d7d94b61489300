import { bookFloatPayment } from "@farthing/core/gift-cards/operations.server.ts";
import type { SecretKeys } from "@farthing/core/secrets/sealed-secret.ts";
import type { Db } from "@farthing/db/client.ts";
import { seedDemoCatalogue } from "./seed-catalogue.ts";
import { seedClaims } from "./seed-claims.ts";
import { seedHistory } from "./seed-history.ts";
import { seedMembers } from "./seed-members.ts";
import { seedOperators } from "./seed-operators.ts";
import type { DemoBank } from "./seed-payouts.ts";
import { seedPartners } from "./seed-partners.ts";
import { seedReferrals } from "./seed-referrals.ts";
import { seedReference } from "./seed-reference.ts";
import { seedTracking } from "./seed-tracking.ts";
import { seedVerification } from "./seed-verification.ts";

export interface SeedParts {
  db: Db;
  dataDir: string;
  /** Key that encrypts attachments. */
  attachmentKey: string;
  /** Encrypt operators' secrets. */
  operatorKeys: SecretKeys;
  /** What pays the demo members' withdrawals. */
  bank: DemoBank;
  /** Port of the site; the demo partner's pages are at this port + 2. */
  port: number;
  now?: () => Date;
  tell(line: string): void;
}

/**
 * Fills a development database: brands and other reference data, the demo catalogue, demo accounts and their history,
 * the demo partner. Each step is idempotent, so a second start changes almost nothing. In a database that was not
 * started for weeks, demo data catches up with the clock: dates of offers and boosts move, members make new purchases,
 * and proof of membership has waited since yesterday.
 */
export async function seedDevelopment({
  db,
  dataDir,
  attachmentKey,
  operatorKeys,
  bank,
  port,
  now = () => new Date(),
  tell,
}: SeedParts): Promise<void> {
  const { brands } = await seedReference(db);
  if (brands > 0) tell(`Made ${brands} brands`);
  await seedTracking(db, { port });
  await seedDemoCatalogue({ db, dataDir, now: now(), tell });
  const accounts = await seedMembers(db);
  if (accounts > 0) tell(`Made ${accounts} demo accounts`);
  const operators = await seedOperators(db, { keys: operatorKeys, now: now() });
  if (operators > 0) tell(`Made ${operators} demo operators`);
  await seedVerification(db, { key: attachmentKey, now: now() });
  if (await seedPartners(db, { port })) tell("Made the demo partner");
  // What the sandbox's issuer holds of ours at its start was paid to it once.
  await bookFloatPayment(db, { issuer: "tillo", amountPence: 1_000_000, reference: "DEMO-FLOAT", now: now() });
  await seedReferrals(db, { now: now() });
  await seedHistory(db, { bank, now: now(), progress: tell });
  await seedClaims(db, { now: now() });
}
