import { home, homeAndFurniture } from "./home.ts";
import { leisure } from "./leisure.ts";
import type { Sector } from "./sector.ts";
import { services } from "./services.ts";
import { wear } from "./wear.ts";

// The first whose pattern fits is taken.
const sectors: readonly Sector[] = [...services, ...leisure, ...wear, ...home];

/** The kind of shop an advertiser has, from its sector at the network, else from its own name. */
export function sectorOf(primarySector: string | undefined, name: string): Sector {
  return (
    sectors.find((one) => one.match.test(primarySector ?? "")) ??
    sectors.find((one) => one.match.test(name)) ??
    homeAndFurniture
  );
}
