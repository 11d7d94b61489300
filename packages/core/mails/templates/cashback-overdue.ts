import { z } from "zod";
import { formatPence, sumPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths, withToken } from "../../paths.ts";

const dates = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  day: "numeric",
  month: "long",
  year: "numeric",
});

const WAITED_FOR = {
  confirmation: "the shop has not confirmed it yet",
  payment: "the shop has confirmed it and has not paid us yet",
};

/** Purchases that take longer than nine in ten do: we noticed before the member has to ask (C3). */
export const cashbackOverdue = mailTemplate({
  kind: "cashback-overdue",
  schema: z.object({
    items: z
      .array(
        z.object({
          retailerName: z.string().min(1),
          cashbackPence: z.int(),
          awaits: z.enum(["confirmation", "payment"]),
          /** The last day of the range that the member was told. */
          expectedTo: z.iso.datetime(),
        }),
      )
      .min(1),
    token: z.string().min(1),
  }),
  content: ({ items, token }) => {
    const [first] = items as [(typeof items)[number]];
    const total = formatPence(sumPence(items.map(({ cashbackPence }) => cashbackPence)));
    return {
      subject:
        items.length === 1
          ? `${formatPence(first.cashbackPence)} cashback is late: ${first.retailerName}`
          : `${total} cashback is late: ${items.length} purchases`,
      preheader: "It takes longer than we told you. You need not do anything.",
      unsubscribePath: withToken(paths.unsubscribe, token),
      blocks: [
        {
          kind: "paragraph",
          text: "We told you when to expect this cashback, and that day has passed. You need not do anything: it is not lost, and we keep watching it.",
        },
        {
          kind: "list",
          items: items.map(
            ({ retailerName, cashbackPence, awaits, expectedTo }) =>
              `${retailerName}, ${formatPence(cashbackPence)}: expected by ${dates.format(new Date(expectedTo))}, and ${WAITED_FOR[awaits]}.`,
          ),
        },
        { kind: "button", label: "See your money", path: paths.money },
        {
          kind: "small-print",
          text: "If you have sent the order back, the shop will decline it, and that is right.",
        },
      ],
    };
  },
});
