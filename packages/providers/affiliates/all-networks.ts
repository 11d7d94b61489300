import { awin } from "./awin/awin.ts";
import { cj } from "./cj/cj.ts";
import { rakuten } from "./rakuten/rakuten.ts";
import type { NetworkDefinition } from "./network-definition.ts";

/** The networks that this version has an adapter for, the default one first. */
export const allNetworks: readonly NetworkDefinition[] = [awin, cj, rakuten];
