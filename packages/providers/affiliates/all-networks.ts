import { awin } from "./awin/awin.ts";
import { cj } from "./cj/cj.ts";
import { impact } from "./impact/impact.ts";
import type { NetworkDefinition } from "./network-definition.ts";
import { partnerize } from "./partnerize/partnerize.ts";
import { rakuten } from "./rakuten/rakuten.ts";

/** The networks that this version has an adapter for, the default one first. */
export const allNetworks: readonly NetworkDefinition[] = [awin, cj, rakuten, impact, partnerize];
