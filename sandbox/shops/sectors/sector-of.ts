import { home, homeAndFurniture } from "./home.ts";
import { leisure } from "./leisure.ts";
import type { Sector } from "./sector.ts";
import { services } from "./services.ts";
import { wear } from "./wear.ts";

// The first sector whose pattern matches is used.
const sectors: readonly Sector[] = [...services, ...leisure, ...wear, ...home];

/** Returns an advertiser's sector, from its sector at the network, otherwise from its name. */
export function sectorOf(primarySector: string | undefined, name: string): Sector {
  return (
    sectors.find((one) => one.match.test(primarySector ?? "")) ??
    sectors.find((one) => one.match.test(name)) ??
    homeAndFurniture
  );
}
