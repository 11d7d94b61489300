import { z } from "zod";
import { header, pathSegment, webAddress, wholeNumber } from "../../environment-values.ts";
import { defineNetwork } from "../network-definition.ts";
import { rakutenFeed } from "./rakuten-feed.ts";
import { createRakutenProvider } from "./rakuten-provider.ts";

const environment = z.object({
  RAKUTEN_SITE_ID: z
    .string()
    .regex(/^\d{1,12}$/, "is not a site id. Set the number (SID) that Rakuten Advertising shows for your account.")
    .optional()
    .describe("Your site id (SID) at Rakuten Advertising."),
  RAKUTEN_LINK_ID: z
    .string()
    .regex(/^[A-Za-z0-9*/_.-]{11}$/, "is not a link id. Set the eleven characters after `id=` in one of your links.")
    .optional()
    .describe("The eleven characters after `id=` in your links of Rakuten Advertising."),
  RAKUTEN_CLIENT_ID: header.optional().describe("The client id of your application at Rakuten Advertising's API."),
  RAKUTEN_CLIENT_SECRET: header.optional().describe("The client secret of that application."),
  RAKUTEN_API_URL: webAddress.optional().describe("The base address of Rakuten Advertising's API."),
  RAKUTEN_CLICK_URL: webAddress.optional().describe("The address that deal links of Rakuten Advertising lead to."),
  RAKUTEN_PUSH_SECRET: pathSegment
    .optional()
    .describe(
      "The last part of the address Rakuten Advertising pushes events to: `/webhooks/rakuten/<secret>`. At least 24 random characters.",
    ),
  RAKUTEN_HOLD_DAYS: wholeNumber(1, 365, "Set for example 60.")
    .optional()
    .describe(
      "Days after which a sale counts as approved if Rakuten Advertising reports no correction: it reports no status.",
    ),
  RAKUTEN_PAYMENT_DAY: wholeNumber(1, 28, "Set the day of the month on which you are paid.")
    .optional()
    .describe("The day of the month on which Rakuten Advertising pays you."),
  RAKUTEN_POLL_SECONDS: wholeNumber(1, 86_400, "Set for example 900.")
    .optional()
    .describe("Seconds between two polls of the events report."),
  RAKUTEN_CALLS_PER_MINUTE: wholeNumber(1, 100_000, "Set what Rakuten Advertising allows you.")
    .optional()
    .describe("Maximum calls to the events report per minute."),
});

/** Rakuten Advertising. It reports no status: a calendar approves and pays what it does not correct. */
export const rakuten = defineNetwork({
  slug: "rakuten",
  name: "Rakuten Advertising",
  environment,
  required: {
    RAKUTEN_SITE_ID: "Set the number (SID) that Rakuten Advertising shows for your account.",
    RAKUTEN_LINK_ID: "Set the eleven characters after `id=` in one of your links.",
    RAKUTEN_CLIENT_ID: "Set the client id from developers.rakutenadvertising.com.",
    RAKUTEN_CLIENT_SECRET: "Set the client secret from developers.rakutenadvertising.com.",
  },
  secrets: { RAKUTEN_PUSH_SECRET: 24 },
  readSettings: (variables, { isDevelopment, standInUrl }) => ({
    siteId: variables.RAKUTEN_SITE_ID ?? "3300003",
    linkId: variables.RAKUTEN_LINK_ID ?? "DevLink0003",
    clientId: variables.RAKUTEN_CLIENT_ID ?? "development-client",
    clientSecret: variables.RAKUTEN_CLIENT_SECRET ?? "development-secret",
    apiUrl: variables.RAKUTEN_API_URL ?? (isDevelopment ? `${standInUrl}/rakuten` : "https://api.linksynergy.com"),
    clickUrl:
      variables.RAKUTEN_CLICK_URL ??
      (isDevelopment ? `${standInUrl}/rakuten/deeplink` : "https://click.linksynergy.com/deeplink"),
    pushSecret: variables.RAKUTEN_PUSH_SECRET ?? (isDevelopment ? "development-push-secret" : null),
    calendar: { holdDays: variables.RAKUTEN_HOLD_DAYS ?? 60, paymentDay: variables.RAKUTEN_PAYMENT_DAY ?? 20 },
    pollSeconds: variables.RAKUTEN_POLL_SECONDS ?? (isDevelopment ? 10 : 900),
    callsPerMinute: variables.RAKUTEN_CALLS_PER_MINUTE ?? 100,
  }),
  createProvider: (settings, replaced) => createRakutenProvider({ ...settings, ...replaced }),
  feed: rakutenFeed,
});
