import { z } from "zod";
import { header, webAddress, wholeNumber } from "../../environment-values.ts";
import { defineNetwork } from "../network-definition.ts";
import { cjFeed } from "./cj-feed.ts";
import { createCjProvider } from "./cj-provider.ts";

const number = (hint: string) => z.string().regex(/^\d{1,12}$/, `is not an id at CJ. ${hint}`);

const environment = z.object({
  CJ_COMPANY_ID: number("Set the number that CJ shows as CID.").optional().describe("Your company id (CID) at CJ."),
  CJ_PROPERTY_ID: number("Set the number that CJ shows as PID beside your website.")
    .optional()
    .describe("The id (PID) of your promotional property at CJ; links carry it."),
  CJ_ACCESS_TOKEN: header.optional().describe("The personal access token for CJ's APIs."),
  CJ_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, "is not a currency. Set three capital letters, for example GBP.")
    .optional()
    .describe("The currency that CJ pays you in, in which its report counts."),
  CJ_REPORT_URL: webAddress.optional().describe("The address of CJ's commission report."),
  CJ_CLICK_URL: webAddress.optional().describe("The address that deal links of CJ lead to."),
  CJ_POLL_SECONDS: wholeNumber(1, 86_400, "Set for example 900.")
    .optional()
    .describe("Seconds between two polls of CJ's commission report."),
  CJ_CALLS_PER_MINUTE: wholeNumber(1, 100_000, "Set what CJ allows you: 25 unless they agreed to more.")
    .optional()
    .describe("Maximum calls to CJ's report per minute."),
});

/** CJ. It sends no pushes: the report is all that it says. */
export const cj = defineNetwork({
  slug: "cj",
  name: "CJ",
  environment,
  required: {
    CJ_COMPANY_ID: "Set the number that CJ shows as CID.",
    CJ_PROPERTY_ID: "Set the number that CJ shows as PID beside your website.",
    CJ_ACCESS_TOKEN: "Set a personal access token from developers.cj.com.",
  },
  secrets: {},
  readSettings: (variables, { isDevelopment, standInUrl }) => ({
    companyId: variables.CJ_COMPANY_ID ?? "200002",
    propertyId: variables.CJ_PROPERTY_ID ?? "8200002",
    personalAccessToken: variables.CJ_ACCESS_TOKEN ?? "development-token",
    currency: variables.CJ_CURRENCY ?? "GBP",
    reportUrl:
      variables.CJ_REPORT_URL ?? (isDevelopment ? `${standInUrl}/cj/query` : "https://commissions.api.cj.com/query"),
    clickUrl: variables.CJ_CLICK_URL ?? (isDevelopment ? `${standInUrl}/cj` : "https://www.dpbolvw.net"),
    pushSecret: null,
    pollSeconds: variables.CJ_POLL_SECONDS ?? (isDevelopment ? 10 : 900),
    callsPerMinute: variables.CJ_CALLS_PER_MINUTE ?? 25,
  }),
  createProvider: (settings, replaced) => createCjProvider({ ...settings, ...replaced }),
  feed: cjFeed,
});
