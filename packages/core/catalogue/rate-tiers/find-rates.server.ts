import { createHash } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { keepImportsOut } from "../../catalogue-imports/import-lock.server.ts";
import type { BoostableTier } from "./boost-rules.ts";
import { readMarks } from "./kept-marks.ts";

/**
 * What a form of a rate changes: its basis and cap, or its boosts, or all of it that operators have set and that is given back. One of the first two does
 * not come too late for the other.
 */
export type RatePart = "terms" | "boosts" | "release";

/** A rate of a retailer's programme with everything that operators set of it. */
export interface RateRecord extends BoostableTier {
  id: string;
  /** What imports leave as it is: `basis`, `cap_pence`, `boosts`. */
  kept: string[];
  /** What operators have given back, and no import has written yet. */
  released: string[];
  /** The hashes of what each form is about: a save against another one comes too late. */
  fingerprints: Record<RatePart, string>;
}

export interface ProgrammeRates {
  network: string;
  number: string;
  name: string;
  /** Whether it builds the retailer's links: members are shown its rates. */
  isPreferred: boolean;
  rates: RateRecord[];
}

interface RateRow extends Omit<RateRecord, "boosts" | "fingerprints" | "released"> {
  network: string;
  number: string;
  name: string;
  isPreferred: boolean;
  boosts: { id: string; bp: number | null; pence: number | null; from: string; to: string }[];
}

const boostsJson = sql`coalesce((select json_agg(json_build_object('id', b.id, 'bp', b.member_rate_bp, 'pence', b.member_rate_pence,
    'from', b.starts_at, 'to', b.ends_at) order by b.starts_at) from boosts b where b.rate_tier_id = t.id), '[]')`;

/** Returns the rates of a retailer's joined programmes: the one that builds the links first, rates in the network's order. */
export async function findRates(db: Db | Trx, { retailerId }: { retailerId: string }): Promise<ProgrammeRates[]> {
  const { rows } = await sql<RateRow>`${columns} where p.retailer_id = ${retailerId} and p.status = 'joined'
    order by p.is_preferred desc, n.name, p.id, t.position, t.label`.execute(db);
  const programmes = new Map<string, ProgrammeRates>();
  for (const row of rows) {
    const { network, number, name, isPreferred } = row;
    const key = JSON.stringify([network, number]);
    const programme = programmes.get(key) ?? { network, number, name, isPreferred, rates: [] };
    programme.rates.push(toRecord(row));
    programmes.set(key, programme);
  }
  return [...programmes.values()];
}

/**
 * Returns rates without what networks pay, for those who may see rates and not change them. They have no fingerprints either: with few rates to try, what
 * the network pays could be guessed from one.
 */
export function withoutCommission(programmes: readonly ProgrammeRates[]): ProgrammeRates[] {
  const hidden = { networkRateBp: null, networkRatePence: null, fingerprints: { terms: "", boosts: "", release: "" } };
  return programmes.map((programme) => ({
    ...programme,
    rates: programme.rates.map((rate) => ({ ...rate, ...hidden })),
  }));
}

/**
 * Locks a rate of a retailer's joined programme until the transaction ends, and returns it with its boosts; null: the retailer has no such rate. Whoever
 * changes its boosts takes this lock first, the import of the editorial file too. It waits for another operator, who is done in a moment, and not for an
 * import, which may take minutes: `busy`.
 */
export async function lockRate(
  trx: Trx,
  { retailer, id }: { retailer: string; id: string },
): Promise<RateRecord | "busy" | null> {
  if (!isUuid(id)) return null;
  // The rate, then what cards read of its programme: the order in which a change of rates takes both.
  const locks = [
    sql`select id from rate_tiers where id = ${id} for no key update`,
    sql`select programme_id from programme_rates where programme_id = (select programme_id from rate_tiers where id = ${id}) for no key update`,
  ];
  for (const lock of locks) {
    const { rows: locked } = await sql`${lock} skip locked`.execute(trx);
    if (locked.length > 0) continue;
    if (!(await keepImportsOut(trx))) return "busy";
    await lock.execute(trx);
  }
  const { rows } = await sql<RateRow>`${columns} join retailers r on r.id = p.retailer_id
    where t.id = ${id} and r.slug = ${retailer} and p.status = 'joined'`.execute(trx);
  return rows[0] ? toRecord(rows[0]) : null;
}

const columns = sql`
  select n.name as network, p.network_programme_id as number, p.name, p.is_preferred as "isPreferred", t.id, t.label, t.basis,
    t.rate_kind as "rateKind", t.member_rate_bp as "memberRateBp", t.member_rate_pence as "memberRatePence",
    t.network_rate_bp as "networkRateBp", t.network_rate_pence as "networkRatePence", t.cap_pence as "capPence", t.kept, ${boostsJson} as boosts
  from rate_tiers t join programmes p on p.id = t.programme_id join networks n on n.id = p.network_id`;

function toRecord(row: RateRow): RateRecord {
  const { network: _network, number: _number, name: _name, isPreferred: _isPreferred, boosts, kept, ...rate } = row;
  const rates = [rate.rateKind, rate.memberRateBp, rate.memberRatePence, rate.networkRateBp, rate.networkRatePence];
  return {
    ...rate,
    ...readMarks(kept),
    boosts: boosts.map(({ id, bp, pence, from, to }) => ({
      ...{ id, memberRateBp: bp, memberRatePence: pence, startsAt: new Date(from), endsAt: new Date(to) },
    })),
    fingerprints: {
      terms: fingerprintOf([rate.basis, rate.capPence]),
      boosts: fingerprintOf([rates, boosts]),
      release: fingerprintOf([kept, rate.basis, rate.capPence, boosts]),
    },
  };
}

function fingerprintOf(shown: unknown): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
}
