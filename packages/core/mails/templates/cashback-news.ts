import { z } from "zod";
import { formatPence, sumPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";

interface Words {
  /** As the subject has it, after the amount. */
  subject: string;
  /** What it means, in a sentence. */
  means: string;
  tellsWhy: boolean;
}

/** Each change in words for the member. */
export const CASHBACK_CHANGE_WORDS = {
  tracked: {
    subject: "tracked",
    means: "The shop has told us of your purchase. It is not yours yet: the shop has to confirm it first.",
    tellsWhy: false,
  },
  reinstated: {
    subject: "tracked again",
    means: "The shop has changed its mind about a purchase it had declined. It is waiting to be confirmed.",
    tellsWhy: false,
  },
  amended: { subject: "changed", means: "The amount of your cashback has changed.", tellsWhy: true },
  confirmed: {
    subject: "confirmed",
    means: "The shop has confirmed your purchase. We pay it out when the shop has paid us.",
    tellsWhy: false,
  },
  payable: { subject: "yours", means: "The shop has paid us. It is yours, ready to be paid out.", tellsWhy: false },
  paid: { subject: "on its way to you", means: "We have paid it out to you.", tellsWhy: false },
  declined: { subject: "declined", means: "The shop has declined this cashback.", tellsWhy: true },
  corrected: {
    subject: "corrected",
    means: "The shop has changed its mind about cashback that was already payable, so we have corrected it.",
    tellsWhy: true,
  },
} as const satisfies Record<string, Words>;

const changeKinds = Object.keys(CASHBACK_CHANGE_WORDS) as (keyof typeof CASHBACK_CHANGE_WORDS)[];

/** What became of a member's cashback; one mail for all that came within moments (product.md M9). */
export const cashbackNews = mailTemplate({
  kind: "cashback-news",
  schema: z.object({
    items: z
      .array(
        z.object({
          change: z.enum(changeKinds),
          retailerName: z.string().min(1),
          cashbackPence: z.int(),
          /** The one plain sentence; null where there is nothing to explain. */
          reason: z.string().nullable(),
        }),
      )
      .min(1),
    token: z.string().min(1),
  }),
  content: ({ items, token }) => {
    const [first] = items as [(typeof items)[number]];
    const isOne = items.length === 1;
    const changes = new Set(items.map(({ change }) => change));
    const total = formatPence(sumPence(items.map(({ cashbackPence }) => cashbackPence)));
    const words = CASHBACK_CHANGE_WORDS[first.change];
    const subject = isOne
      ? `${formatPence(first.cashbackPence)} cashback ${words.subject}: ${first.retailerName}`
      : changes.size === 1
        ? `${total} cashback ${words.subject}: ${items.length} purchases`
        : `News of your cashback: ${items.length} purchases`;
    return {
      subject,
      preheader: isOne ? words.means : items.map(({ retailerName }) => retailerName).join(", "),
      unsubscribePath: `/unsubscribe?token=${token}`,
      blocks: [
        ...(isOne
          ? [
              { kind: "paragraph" as const, text: words.means },
              ...(first.reason ? [{ kind: "paragraph" as const, text: `Why: ${first.reason}` }] : []),
              {
                kind: "facts" as const,
                facts: [
                  { label: "Shop", value: first.retailerName },
                  { label: "Cashback", value: formatPence(first.cashbackPence) },
                ],
              },
            ]
          : [
              {
                kind: "list" as const,
                items: items.map(
                  ({ change, retailerName, cashbackPence, reason }) =>
                    `${retailerName}, ${formatPence(cashbackPence)}: ${CASHBACK_CHANGE_WORDS[change].means}${reason ? ` Why: ${reason}` : ""}`,
                ),
              },
            ]),
        { kind: "button", label: "See your cashback", path: "/profile" },
        ...(changes.has("declined")
          ? [
              {
                kind: "small-print" as const,
                text: "If you think that is wrong, answer this e-mail with your order number, and we ask the shop.",
              },
            ]
          : []),
      ],
    };
  },
});
