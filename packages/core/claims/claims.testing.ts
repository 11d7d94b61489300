import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { makeClick, makeClub, type ClubForTests } from "../cashback/cashback.testing.ts";
import { ClaimRefusedError, type ClaimFiler, type ClaimToFile, type NetworkClaim } from "../networks/claim-filer.ts";
import { NetworkUnavailableError } from "../networks/provider.ts";
import type { ClaimAbout } from "./find-subject.server.ts";
import { makeClaim, type MadeClaim } from "./operations.server.ts";
import type { ClaimForm } from "./schema.ts";
import { dueClaims, stepClaim } from "./work-claims.server.ts";

export const CLICKED = new Date("2026-10-01T09:00:00Z");
export const daysAfter = (days: number, from = CLICKED) => new Date(from.getTime() + days * 86_400_000);
/** Claims at the test shop open three days after the click. */
export const OPEN = daysAfter(10);

export const claimForm = (changes: Partial<ClaimForm> = {}): ClaimForm => ({
  orderReference: "ORDER-1",
  purchasedOn: "2026-10-01",
  salePence: 10_000,
  words: null,
  ...changes,
});

export interface ClaimClub extends ClubForTests {
  clickNumber: string;
  reference: string;
}

/** A club with one member and one click, on a network. */
export async function makeClaimClub(
  db: Db,
  networkSlug = `net-${randomBytes(4).toString("hex")}`,
  clickedAt = CLICKED,
): Promise<ClaimClub> {
  const club = await makeClub(db, { networkSlug });
  return { ...club, ...(await clickOf(db, club, clickedAt)) };
}

export async function clickOf(db: Db, club: ClubForTests, createdAt = CLICKED) {
  const reference = await makeClick(db, club, { createdAt });
  const { click_number: clickNumber } = await db
    .selectFrom("clicks")
    .select("click_number")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  return { reference, clickNumber };
}

export function claim(
  db: Db,
  club: ClaimClub,
  options: { form?: Partial<ClaimForm>; about?: ClaimAbout; now?: Date; memberId?: string } = {},
): Promise<MadeClaim> {
  const { form = {}, about = { clickNumber: club.clickNumber }, now = OPEN, memberId = club.memberId } = options;
  return makeClaim(db, { brandId: club.brandId, memberId, about, form: claimForm(form), now });
}

/** Makes a claim and returns its number. */
export async function madeClaim(...args: Parameters<typeof claim>): Promise<string> {
  const made = await claim(...args);
  if (made.outcome !== "made") throw new Error(`The claim was not made: ${made.outcome}`);
  return made.publicId;
}

export const claimRow = (db: Db, publicId: string) =>
  db.selectFrom("claims").selectAll().where("public_id", "=", publicId).executeTakeFirstOrThrow();

/** A network that keeps claims in memory. `answers` is what it says of each, by order number. */
export function memoryFiler() {
  const filed = new Map<string, ClaimToFile>();
  const answers = new Map<string, Partial<NetworkClaim>>();
  const network = { mode: "up" as "up" | "down" | "refuses" | "loses-answers", filings: 0 };
  const read = (reference: string): NetworkClaim | null => {
    const known = filed.get(reference);
    return known
      ? {
          claimReference: reference,
          networkClaimId: `n-${reference}`,
          state: "open",
          answer: null,
          reason: null,
          networkTransactionId: null,
          autoApprovesAt: null,
          ...answers.get(known.orderReference),
        }
      : null;
  };
  const up = () => {
    if (network.mode === "down") throw new NetworkUnavailableError("The network does not answer.");
  };
  const filer: ClaimFiler = {
    slug: "impact",
    kinds: ["untracked", "incorrect", "declined"],
    async readClaim({ claimReference }) {
      up();
      return read(claimReference);
    },
    async fileClaim(claimed) {
      up();
      if (network.mode === "refuses") throw new ClaimRefusedError("The network refused the claim as it is (400).");
      if (!filed.has(claimed.claimReference)) network.filings += 1;
      filed.set(claimed.claimReference, claimed);
      if (network.mode === "loses-answers") throw new NetworkUnavailableError("The answer was lost.");
      return read(claimed.claimReference)!;
    },
  };
  return { filer, filed, answers, network };
}

/** Takes the next step of all claims that are due, as the worker does. Returns what failed. */
export async function workOnce(db: Db, filer: ClaimFiler | null, now: Date): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const lease of await dueClaims.claim(db, { now, leaseMs: 120_000, max: 50 })) {
    try {
      await stepClaim(db, { lease, filer, now });
    } catch (error) {
      errors.push(error);
      await dueClaims.fail(db, lease, { now, error: String(error) });
    }
  }
  return errors;
}
