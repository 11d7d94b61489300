import { z } from "zod";
import { namedEnd } from "../../catalogue/london-time.ts";
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
    /** The present rates: `8%`, `£30`, or `2% to 8%` where purchases earn different rates (O7). */
    rate: z.string().min(1),
    /** The best rate when the member asked: `5%`; null if there was none. */
    askedRate: z.string().nullable(),
    /** When the boost ends; null: until further notice. */
    until: z.iso.datetime().nullable(),
    token: z.string().min(1),
  }),
  content: ({ retailerName, retailerSlug, rate, askedRate, until, token }, { name }) => ({
    subject: `${retailerName}: cashback is now ${rate}`,
    preheader: askedRate ? `The best rate was ${askedRate} when you asked us.` : "There was none when you asked us.",
    unsubscribePath: withToken(paths.stopAlert, token),
    blocks: [
      {
        kind: "paragraph",
        text: `You asked ${name} to tell you when cashback at ${retailerName} rises. It is now ${rate}.`,
      },
      {
        kind: "facts",
        facts: [
          { label: "Now", value: rate },
          askedRate
            ? { label: "Best rate when you asked", value: askedRate }
            : { label: "When you asked", value: "no cashback" },
          ...(until ? [{ label: "Until", value: londonDay.format(namedEnd(new Date(until))) }] : []),
        ],
      },
      { kind: "button", label: `See ${retailerName}`, path: paths.retailer(retailerSlug) },
      { kind: "small-print", text: "The page says which purchases earn which rate, and what is not included." },
    ],
  }),
});
