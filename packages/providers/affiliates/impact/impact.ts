import { z } from "zod";
import { header, pathSegment, webAddress, wholeNumber } from "../../environment-values.ts";
import { defineNetwork } from "../network-definition.ts";
import { impactFeed } from "./impact-feed.ts";
import { createImpactProvider } from "./impact-provider.ts";

const environment = z.object({
  IMPACT_ACCOUNT_SID: pathSegment.optional().describe("Your account SID at Impact."),
  IMPACT_AUTH_TOKEN: header.optional().describe("The auth token that belongs to the account SID."),
  IMPACT_API_URL: webAddress.optional().describe("The base address of Impact's API."),
  IMPACT_CLICK_URL: webAddress
    .optional()
    .describe("Replaces the tracking domains of all programmes, for tests. Without it, each programme's own applies."),
  IMPACT_PUSH_SECRET: pathSegment
    .optional()
    .describe(
      "The last part of the address of Impact's event notifications: `/webhooks/impact/<secret>`. At least 24 random characters.",
    ),
  IMPACT_POLL_SECONDS: wholeNumber(1, 86_400, "Set for example 1800.")
    .optional()
    .describe("Seconds between two polls of Impact's actions."),
  IMPACT_CALLS_PER_HOUR: wholeNumber(1, 1_000_000, "Set what Impact allows you: 500 unless they agreed to more.")
    .optional()
    .describe("Maximum calls to Impact's API per hour; 500 is its limit for actions."),
});

/** Impact. On a development machine it has made-up credentials and the sandbox's addresses: it must never call the real network. */
export const impact = defineNetwork({
  slug: "impact",
  name: "Impact",
  environment,
  required: {
    IMPACT_ACCOUNT_SID: "Set the account SID from Impact, under Settings, API.",
    IMPACT_AUTH_TOKEN: "Set the auth token from Impact, under Settings, API.",
    IMPACT_PUSH_SECRET:
      "Set a long random value and give Impact the address /webhooks/impact/<that value>; for example from: openssl rand -hex 24",
  },
  secrets: { IMPACT_PUSH_SECRET: 24 },
  readSettings: (variables, { isDevelopment, standInUrl }) => ({
    accountSid: variables.IMPACT_ACCOUNT_SID ?? "IRdevelopment",
    authToken: variables.IMPACT_AUTH_TOKEN ?? "development-impact-token",
    apiUrl: variables.IMPACT_API_URL ?? (isDevelopment ? `${standInUrl}/impact` : "https://api.impact.com"),
    clickUrl: variables.IMPACT_CLICK_URL ?? (isDevelopment ? `${standInUrl}/impact` : null),
    pushSecret: variables.IMPACT_PUSH_SECRET ?? "development-impact-push-secret",
    pollSeconds: variables.IMPACT_POLL_SECONDS ?? (isDevelopment ? 10 : 1800),
    callsPerHour: variables.IMPACT_CALLS_PER_HOUR ?? (isDevelopment ? 100_000 : 500),
  }),
  createProvider: (settings, replaced) => createImpactProvider({ ...settings, ...replaced }),
  feed: impactFeed,
});
