import { z } from "zod";
import { formatPence, sumPence } from "../../money/money.ts";
import { paths } from "../../paths.ts";
import { longDate } from "../long-date.ts";
import { mailTemplate, type MailBlock } from "../mail-template.ts";

const pence = z.int().nonnegative();
const lineSchema = z.object({
  /** Names the card in its buyer's wallet; null: a mail of before it was written. */
  publicId: z.string().min(1).nullable().default(null),
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
  /** Who gets the card, without their address, and on which day (null: at once); null: it is no present. */
  present: z
    .object({ recipientName: z.string().min(1), sendOn: z.iso.date().nullable() })
    .nullable()
    .default(null),
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
    /** A member bought it, and has a wallet. A partner's visitor has no page that a mail could lead to. */
    isMembers: z.boolean().default(false),
  }),
  content: ({ order, lines, isChanged, isPayout, isWhole, isMembers }, { name }) => {
    const refunded = lines.filter(isRefunded);
    const chargedBack = lines.filter((line) => line.isChargedBack);
    const ready = lines.filter((line) => !isRefunded(line) && !line.isChargedBack);
    const paidLabel = isPayout ? "Out of your cashback" : "Paid";
    const isSingle = lines.length === 1;
    const refund = formatPence(sumPence(refunded.map(paidFor)));
    const blocks: MailBlock[] = [
      {
        kind: "paragraph",
        text: isChanged
          ? "Your order has changed. This receipt replaces the one before."
          : `Thank you for your order at ${name}. This is your receipt. Codes are never sent by e-mail.`,
      },
      ...lines.flatMap((line) => lineBlocks(line, isSingle ? paidLabel : "Paid")),
      {
        kind: "facts",
        facts: [
          { label: "Order", value: order },
          // The line of a single card says both.
          ...(isSingle ? [] : [{ label: paidLabel, value: formatPence(sumPence(lines.map(paidFor))) }]),
          ...(refunded.length > 0 && !isSingle ? [{ label: "Refunded", value: refund }] : []),
          ...(chargedBack.length > 0
            ? [{ label: "Taken back by your bank", value: formatPence(sumPence(chargedBack.map(paidFor))) }]
            : []),
        ],
      },
      ...(isMembers ? walletButton(ready) : []),
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
          : ready.length === 0
            ? `Refunded: your gift-card order, ${refund}`
            : refunded.length > 0
              ? `Your gift cards: ${ready.length} of ${lines.length} ready, ${refund} refunded`
              : readySubject(ready);
    return { subject, preheader: `Order ${order}`, blocks };
  },
});

function readySubject(ready: readonly Line[]): string {
  const [first] = ready;
  if (ready.length === 1)
    return first?.present ? `Your present for ${first.present.recipientName} is ready` : "Your gift card is ready";
  return ready.every(({ present }) => present) ? "Your presents are ready" : "Your gift cards are ready";
}

/** Leads to the card, or to the wallet where there are several. */
function walletButton(ready: readonly Line[]): MailBlock[] {
  const [first] = ready;
  if (!first) return [];
  if (ready.length > 1 || first.publicId === null)
    return [{ kind: "button", label: "See your cards", path: paths.giftCards }];
  const label = first.present ? "See your present" : "See your card";
  return [{ kind: "button", label, path: paths.giftCard(first.publicId) }];
}

/** Says what becomes of a present. */
function presentBlocks({ present }: Line): MailBlock[] {
  if (!present) return [];
  const sent =
    present.sendOn === null ? "sent by e-mail" : `to be sent by e-mail on ${longDate(`${present.sendOn}T12:00:00Z`)}`;
  return [
    {
      kind: "paragraph",
      text: `A present for ${present.recipientName}, ${sent}.`,
    },
  ];
}

function lineBlocks(line: Line, paidLabel: string): MailBlock[] {
  const { card, facePence, pricePence, feePence, cashbackPence, refundedBecause, isChargedBack } = line;
  const total = formatPence(paidFor(line));
  const stands = isChargedBack ? "no card" : refundedBecause === null ? "ready" : "refunded";
  return [
    { kind: "paragraph", text: `${card}: ${stands}` },
    ...(stands === "ready" ? presentBlocks(line) : []),
    {
      kind: "facts",
      facts: [
        { label: "Value", value: formatPence(facePence) },
        ...(pricePence < facePence ? [{ label: "Discount", value: `−${formatPence(facePence - pricePence)}` }] : []),
        ...(feePence > 0 ? [{ label: "Fee", value: formatPence(feePence) }] : []),
        { label: paidLabel, value: total },
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
