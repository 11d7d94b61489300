import { z } from "zod";

/**
 * What the pre-flight check found in the member's browser just before a click (C1):
 *
 * - `healthy`: the network's host answered.
 * - `slow`: it did not answer in time, so the click went on without an answer.
 * - `blocked`: the browser, an extension or the connection refused the request.
 * - `no_cookies`: the browser accepts no cookies, so that a network can't recognise the purchase.
 */
export const PRE_FLIGHT_FINDINGS = ["healthy", "slow", "blocked", "no_cookies"] as const;
export type PreFlightFinding = (typeof PRE_FLIGHT_FINDINGS)[number];

/** The query parameter of a deal link that carries the finding. */
export const PRE_FLIGHT_PARAMETER = "pre_flight";

/** Reads the parameter. The browser's word is a hint for support: any other value counts as no check. */
export const preFlightSchema = z.enum(PRE_FLIGHT_FINDINGS).nullable().catch(null);
