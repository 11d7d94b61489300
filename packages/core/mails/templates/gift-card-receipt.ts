import { z } from "zod";
import { formatPence, sumPence } from "../../money/money.ts";
import { mailTemplate, type MailBlock } from "../mail-template.ts";

const pence = z.int().nonnegative();
const lineSchema = z.object({
  card: z.string().min(1),
  facePence: pence,
  /** Without the fee. */
  pricePence: pence,
  feePence: pence,
  cashbackPence: pence,
  /** Why there is no card, as a sentence; null: the card was made. */
  refundedBecause: z.string().min(1).nullable(),
});
type Line = z.output<typeof lineSchema>;

/** For the buyer of gift cards when each line has become a card or a refund (G4). Holds no code of a card. */
export const giftCardReceipt = mailTemplate({
  kind: "gift-card-receipt",
  schema: z.object({
    order: z.string().min(1),
    lines: z.array(lineSchema).min(1),
    /** A card of an earlier receipt was refunded since. */
    isChanged: z.boolean(),
  }),
  content: ({ order, lines, isChanged }, { name }) => {
    const refunded = lines.filter(isRefunded);
    const made = lines.length - refunded.length;
    const refund = formatPence(sumPence(refunded.map(paidFor)));
    const blocks: MailBlock[] = [
      {
        kind: "paragraph",
        text: isChanged
          ? "Your order has changed. This receipt replaces the one before."
          : `Thank you for your order at ${name}. This is your receipt. Codes are never sent by e-mail.`,
      },
      ...lines.flatMap(lineBlocks),
      {
        kind: "facts",
        facts: [
          { label: "Order", value: order },
          { label: "Paid", value: formatPence(sumPence(lines.map(paidFor))) },
          ...(refunded.length > 0 ? [{ label: "Refunded", value: refund }] : []),
        ],
      },
      ...(refunded.length > 0
        ? [
            {
              kind: "small-print" as const,
              text: "A refund goes to the card or account that you paid with. It can take ten working days to arrive.",
            },
          ]
        : []),
    ];
    const subject = isChanged
      ? `Your gift-card order has changed: ${refund} refunded`
      : made === 0
        ? `Refunded: your gift-card order, ${refund}`
        : refunded.length > 0
          ? `Your gift cards: ${made} of ${lines.length} ready, ${refund} refunded`
          : `Your gift ${made === 1 ? "card is" : "cards are"} ready`;
    return { subject, preheader: `Order ${order}`, blocks };
  },
});

function lineBlocks(line: Line): MailBlock[] {
  const { card, facePence, pricePence, feePence, cashbackPence, refundedBecause } = line;
  const total = formatPence(paidFor(line));
  return [
    { kind: "paragraph", text: `${card}: ${refundedBecause === null ? "ready" : "refunded"}` },
    {
      kind: "facts",
      facts: [
        { label: "Value", value: formatPence(facePence) },
        ...(pricePence < facePence ? [{ label: "Discount", value: `−${formatPence(facePence - pricePence)}` }] : []),
        ...(feePence > 0 ? [{ label: "Fee", value: formatPence(feePence) }] : []),
        { label: "Paid", value: total },
        ...(refundedBecause === null
          ? cashbackPence > 0
            ? [{ label: "Cashback", value: `${formatPence(cashbackPence)}, yours to withdraw after 48 hours` }]
            : []
          : [
              { label: "Refunded", value: total },
              { label: "Why", value: refundedBecause },
            ]),
      ],
    },
  ];
}

function paidFor({ pricePence, feePence }: Line): number {
  return pricePence + feePence;
}

function isRefunded({ refundedBecause }: Line): boolean {
  return refundedBecause !== null;
}
