import { z } from "zod";
import { formatPence, sumPence } from "../../money/money.ts";
import { paths } from "../../paths.ts";
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
  /** There is no card, and no refund: the buyer's bank has taken the payment back. */
  isChargedBack: z.boolean().default(false),
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
    /** It was taken out of the member's cashback, and a refund goes back there. */
    isPayout: z.boolean().default(false),
    /** All of a refund is in the balance again; false: part of that cashback was taken back. */
    isWhole: z.boolean().default(true),
  }),
  content: ({ order, lines, isChanged, isPayout, isWhole }, { name }) => {
    const refunded = lines.filter(isRefunded);
    const chargedBack = lines.filter((line) => line.isChargedBack);
    const made = lines.length - refunded.length - chargedBack.length;
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
          { label: isPayout ? "Out of your cashback" : "Paid", value: formatPence(sumPence(lines.map(paidFor))) },
          ...(refunded.length > 0 ? [{ label: "Refunded", value: refund }] : []),
          ...(chargedBack.length > 0
            ? [{ label: "Taken back by your bank", value: formatPence(sumPence(chargedBack.map(paidFor))) }]
            : []),
        ],
      },
      ...(refunded.length > 0
        ? [
            {
              kind: "small-print" as const,
              text: isPayout
                ? isWhole
                  ? "The money is back in your balance, and yours to withdraw."
                  : "What is left of it is in your balance."
                : "A refund goes to the card or account that you paid with. It can take ten working days to arrive.",
            },
            ...(isPayout && !isWhole ? [{ kind: "button" as const, label: "See your money", path: paths.money }] : []),
          ]
        : []),
    ];
    const subject =
      chargedBack.length > 0
        ? "Your gift-card order: your bank has taken the payment back"
        : isChanged
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
  const { card, facePence, pricePence, feePence, cashbackPence, refundedBecause, isChargedBack } = line;
  const total = formatPence(paidFor(line));
  const stands = isChargedBack ? "no card" : refundedBecause === null ? "ready" : "refunded";
  return [
    { kind: "paragraph", text: `${card}: ${stands}` },
    {
      kind: "facts",
      facts: [
        { label: "Value", value: formatPence(facePence) },
        ...(pricePence < facePence ? [{ label: "Discount", value: `−${formatPence(facePence - pricePence)}` }] : []),
        ...(feePence > 0 ? [{ label: "Fee", value: formatPence(feePence) }] : []),
        { label: "Paid", value: total },
        ...(isChargedBack
          ? [{ label: "Why", value: "You asked your bank to take the payment back, and it has." }]
          : refundedBecause === null
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
