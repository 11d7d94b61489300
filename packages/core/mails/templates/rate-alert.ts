import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths, withToken } from "../../paths.ts";

const londonDay = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  weekday: "long",
  day: "numeric",
  month: "long",
});

/** Tells a member that a retailer's rate rose, as they asked (D10). */
export const rateAlert = mailTemplate({
  kind: "rate-alert",
  schema: z.object({
    retailerName: z.string().min(1),
    retailerSlug: z.string().min(1),
    /** The present rate: `8%`, `£30`. */
    rate: z.string().min(1),
    /** The rate when the member asked; null if there was none. */
    askedRate: z.string().nullable(),
    /** When the boost ends; null: until further notice. */
    until: z.iso.datetime().nullable(),
    token: z.string().min(1),
  }),
  content: ({ retailerName, retailerSlug, rate, askedRate, until, token }, { name }) => ({
    subject: `${retailerName}: cashback is up to ${rate}`,
    preheader: askedRate ? `It was ${askedRate} when you asked us.` : "There was none when you asked us.",
    unsubscribePath: withToken(paths.stopAlert, token),
    blocks: [
      {
        kind: "paragraph",
        text: `You asked ${name} to tell you when cashback at ${retailerName} rises. It has: you can now earn up to ${rate}.`,
      },
      {
        kind: "facts",
        facts: [
          { label: "Now", value: `up to ${rate}` },
          { label: "When you asked", value: askedRate ? `up to ${askedRate}` : "no cashback" },
          ...(until ? [{ label: "Until", value: londonDay.format(new Date(until)) }] : []),
        ],
      },
      { kind: "button", label: `See ${retailerName}`, path: paths.retailer(retailerSlug) },
      { kind: "small-print", text: "The page says which purchases earn which rate, and what is not included." },
    ],
  }),
});
