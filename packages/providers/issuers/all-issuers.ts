import type { IssuerDefinition } from "./issuer-definition.ts";
import { tillo } from "./tillo/tillo.ts";

/** The issuers that this version has an adapter for, the default one first. */
export const allIssuers: readonly IssuerDefinition[] = [tillo];
