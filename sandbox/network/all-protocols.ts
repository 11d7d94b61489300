import { awinProtocol } from "./awin/awin-protocol.ts";
import { cjProtocol } from "./cj/cj-protocol.ts";
import { impactProtocol } from "./impact/impact-protocol.ts";
import type { NetworkProtocol } from "./network-protocol.ts";
import { partnerizeProtocol } from "./partnerize/partnerize-protocol.ts";
import { rakutenProtocol } from "./rakuten/rakuten-protocol.ts";

/** The networks that the sandbox plays, the default one first. */
export const allProtocols: readonly NetworkProtocol[] = [
  awinProtocol,
  cjProtocol,
  rakutenProtocol,
  impactProtocol,
  partnerizeProtocol,
];
