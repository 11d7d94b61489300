import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths, withToken } from "../../paths.ts";
import { longDate } from "../long-date.ts";

const states = [
  "waiting",
  "incomplete",
  "open",
  "filed",
  "accepted",
  "credited",
  "declined",
  "goodwill",
  "withdrawn",
  "expired",
] as const;

/** Where a claim stands, at each change of it (C7). */
export const claimNews = mailTemplate({
  kind: "claim-news",
  schema: z.object({
    publicId: z.string().min(1),
    state: z.enum(states),
    retailerName: z.string().min(1),
    orderReference: z.string().min(1),
    isAppeal: z.boolean(),
    opensAt: z.iso.datetime(),
    /** What the retailer asks for; null: the evidence. */
    asked: z.string().nullable(),
    answer: z.string().nullable(),
    appealUntil: z.iso.datetime().nullable(),
    token: z.string().min(1),
  }),
  content: ({
    publicId,
    state,
    retailerName,
    orderReference,
    isAppeal,
    opensAt,
    asked,
    answer,
    appealUntil,
    token,
  }) => {
    const what = isAppeal ? "appeal" : "claim";
    const said: Record<typeof state, { subject: string; texts: string[] }> = {
      waiting: {
        subject: `We keep your claim: ${retailerName}`,
        texts: [
          `It is early: purchases at ${retailerName} can still show by themselves. If yours does not by ${longDate(opensAt)}, we open the claim. You need not do anything.`,
        ],
      },
      incomplete: {
        subject: `Your ${what} needs something more: ${retailerName}`,
        texts: [asked ?? "Please add the order confirmation. We send the claim as soon as it is there."],
      },
      open: {
        subject: `We have your ${what}: ${retailerName}`,
        texts: [`We send it to ${retailerName} and write to you when it answers.`],
      },
      filed: {
        subject: `Your ${what} is with ${retailerName}`,
        texts: ["Retailers often take some weeks. We ask again and again, and write to you when there is an answer."],
      },
      accepted: {
        subject: `Accepted: your ${what} at ${retailerName}`,
        texts: [
          `${retailerName} agrees. The cashback shows in your account when its network has reported the purchase, mostly within days.`,
        ],
      },
      credited: {
        subject: `Your cashback from ${retailerName} is there`,
        texts: ["The purchase of your claim counts, and is in your account. The claim is done."],
      },
      declined: {
        subject: `Declined: your ${what} at ${retailerName}`,
        texts: [
          answer ?? "The retailer gave no reason.",
          ...(appealUntil
            ? [`If you think that is wrong, you can appeal until ${longDate(appealUntil)}.`]
            : ["There is nothing that the retailer would look at again."]),
        ],
      },
      goodwill: {
        subject: `Settled by us: your ${what} at ${retailerName}`,
        texts: [`${retailerName} declined it, and we have credited you ourselves. The claim is done.`],
      },
      withdrawn: { subject: `You took back your claim: ${retailerName}`, texts: ["Nothing was sent to the retailer."] },
      expired: {
        subject: `Your ${what} has run out: ${retailerName}`,
        texts: [`What was missing did not arrive in 30 days, so your ${what} was not sent to the retailer.`],
      },
    };
    const { subject, texts } = said[state];
    return {
      subject,
      preheader: texts[0] ?? subject,
      unsubscribePath: withToken(paths.unsubscribe, token),
      blocks: [
        ...texts.map((text) => ({ kind: "paragraph" as const, text })),
        {
          kind: "facts",
          facts: [
            { label: "Order", value: orderReference },
            { label: "Claim", value: publicId },
          ],
        },
        {
          kind: "button",
          label: state === "incomplete" ? "Add it" : appealUntil ? "See the answer" : "See the claim",
          path: paths.claim(publicId),
        },
      ],
    };
  },
});
