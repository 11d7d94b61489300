import { z } from "zod";
import { header, pathSegment, webAddress, wholeNumber } from "../../environment-values.ts";
import { defineNetwork } from "../network-definition.ts";
import { partnerizeFeed } from "./partnerize-feed.ts";
import { createPartnerizeProvider } from "./partnerize-provider.ts";

const environment = z.object({
  PARTNERIZE_PUBLISHER_ID: pathSegment.optional().describe("Your publisher id at Partnerize, such as `1l1007802`."),
  PARTNERIZE_APPLICATION_KEY: header.optional().describe("The user application key of Partnerize's API."),
  PARTNERIZE_USER_API_KEY: header.optional().describe("The user API key that belongs to the application key."),
  PARTNERIZE_API_URL: webAddress.optional().describe("The base address of Partnerize's API."),
  PARTNERIZE_CLICK_URL: webAddress.optional().describe("The tracking host that Partnerize's links start with."),
  PARTNERIZE_POLL_SECONDS: wholeNumber(1, 86_400, "Set for example 900.")
    .optional()
    .describe("Seconds between two polls of Partnerize's conversion report."),
  PARTNERIZE_CALLS_PER_MINUTE: wholeNumber(1, 100_000, "Set for example 60.")
    .optional()
    .describe(
      "Maximum calls to Partnerize's API per minute. Partnerize publishes no limit, and says how long to wait.",
    ),
});

/** Partnerize. On a development machine it has made-up credentials and the sandbox's addresses: it must never call the real network. */
export const partnerize = defineNetwork({
  slug: "partnerize",
  name: "Partnerize",
  environment,
  required: {
    PARTNERIZE_PUBLISHER_ID: "Set the publisher id from Partnerize, under Account settings.",
    PARTNERIZE_APPLICATION_KEY: "Set the user application key from Partnerize, under Account settings.",
    PARTNERIZE_USER_API_KEY: "Set the user API key from Partnerize, under Account settings.",
  },
  secrets: {},
  readSettings: (variables, { isDevelopment, standInUrl }) => ({
    publisherId: variables.PARTNERIZE_PUBLISHER_ID ?? "1l1000001",
    applicationKey: variables.PARTNERIZE_APPLICATION_KEY ?? "development-application-key",
    userApiKey: variables.PARTNERIZE_USER_API_KEY ?? "development-user-key",
    apiUrl: variables.PARTNERIZE_API_URL ?? (isDevelopment ? `${standInUrl}/partnerize` : "https://api.partnerize.com"),
    clickUrl: variables.PARTNERIZE_CLICK_URL ?? (isDevelopment ? `${standInUrl}/partnerize` : "https://prf.hn"),
    pushSecret: null,
    pollSeconds: variables.PARTNERIZE_POLL_SECONDS ?? (isDevelopment ? 10 : 900),
    callsPerMinute: variables.PARTNERIZE_CALLS_PER_MINUTE ?? (isDevelopment ? 6_000 : 60),
  }),
  createProvider: (settings, replaced) => createPartnerizeProvider({ ...settings, ...replaced }),
  feed: partnerizeFeed,
});
