import { z } from "zod";
import { header, pathSegment, webAddress, wholeNumber } from "../../environment-values.ts";
import { defineNetwork } from "../network-definition.ts";
import { awinFeed } from "./awin-feed.ts";
import { createAwinProvider } from "./awin-provider.ts";

const environment = z.object({
  AWIN_PUBLISHER_ID: z
    .string()
    .regex(/^\d{1,12}$/, "is not a publisher id. Set the number Awin shows beside your account's name.")
    .optional()
    .describe("Your publisher id at Awin."),
  AWIN_API_TOKEN: header.optional().describe("The OAuth2 token for Awin's publisher API."),
  AWIN_API_URL: webAddress.optional().describe("The base address of Awin's API."),
  AWIN_CLICK_URL: webAddress.optional().describe("The address that deal links lead to."),
  AWIN_PUSH_SECRET: pathSegment
    .optional()
    .describe(
      "The last part of the address Awin pushes transactions to: `/webhooks/awin/<secret>`. At least 24 random characters.",
    ),
  AWIN_POLL_SECONDS: wholeNumber(1, 86_400, "Set for example 900.")
    .optional()
    .describe("Seconds between two polls of the transaction report."),
  AWIN_CALLS_PER_MINUTE: wholeNumber(1, 100_000, "Set what Awin allows you: 20 unless they agreed to more.")
    .optional()
    .describe(
      "Maximum calls to the report API per minute; 20 is Awin's limit. `npm start` sets more, because the sandbox has no limit.",
    ),
});

/** Awin. On a development machine it has made-up credentials and the sandbox's addresses: it must never call the real network. */
export const awin = defineNetwork({
  slug: "awin",
  name: "Awin",
  environment,
  required: {
    AWIN_PUBLISHER_ID: "Set the number Awin shows beside your account's name.",
    AWIN_API_TOKEN: "Set the OAuth2 token from Awin, under Toolbox, API credentials.",
    AWIN_PUSH_SECRET:
      "Set a long random value and give Awin the address /webhooks/awin/<that value>; for example from: openssl rand -hex 24",
  },
  secrets: { AWIN_PUSH_SECRET: 24 },
  readSettings: (variables, { isDevelopment, standInUrl }) => ({
    publisherId: variables.AWIN_PUBLISHER_ID ?? "100001",
    apiToken: variables.AWIN_API_TOKEN ?? "development-token",
    apiUrl: variables.AWIN_API_URL ?? (isDevelopment ? standInUrl : "https://api.awin.com"),
    clickUrl:
      variables.AWIN_CLICK_URL ?? (isDevelopment ? `${standInUrl}/awin/cread.php` : "https://www.awin1.com/cread.php"),
    pushSecret: variables.AWIN_PUSH_SECRET ?? "development-push-secret",
    pollSeconds: variables.AWIN_POLL_SECONDS ?? (isDevelopment ? 10 : 900),
    callsPerMinute: variables.AWIN_CALLS_PER_MINUTE ?? 20,
  }),
  createProvider: (settings, replaced) => createAwinProvider({ ...settings, ...replaced }),
  feed: awinFeed,
});
