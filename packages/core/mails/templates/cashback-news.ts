import { z } from "zod";
import { formatPence, sumPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths, withToken } from "../../paths.ts";

interface Words {
  /** The words in the subject, after the amount. */
  subject: string;
  /** An explanation in one sentence. */
  means: string;
  tellsWhy: boolean;
}

/** The words for each change. */
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
    means: "The shop has confirmed your purchase. It is yours when the shop has paid us.",
    tellsWhy: false,
  },
  payable: {
    subject: "yours",
    means: "The shop has paid us. It is yours, and we keep it in your account.",
    tellsWhy: false,
  },
  paid: { subject: "on its way to you", means: "We have paid it out to you.", tellsWhy: false },
  declined: { subject: "declined", means: "The shop has declined this cashback.", tellsWhy: true },
  corrected: {
    subject: "corrected",
    means: "The shop has changed its mind about cashback that was already yours, so we have corrected it.",
    tellsWhy: true,
  },
} as const satisfies Record<string, Words>;

const changeKinds = Object.keys(CASHBACK_CHANGE_WORDS) as (keyof typeof CASHBACK_CHANGE_WORDS)[];

interface Amounts {
  wasPence: number;
  isPence: number;
}

interface Item {
  change: keyof typeof CASHBACK_CHANGE_WORDS;
  cashbackPence: number;
  amounts: Amounts | null;
}

/** "was £4.20, now £3.90" */
function wasAndIs({ wasPence, isPence }: Amounts): string {
  return `was ${formatPence(wasPence)}, now ${formatPence(isPence)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The subject of a mail about one purchase, before the retailer's name. */
function subjectWords({ change, cashbackPence, amounts }: Item): string {
  const { subject } = CASHBACK_CHANGE_WORDS[change];
  if (!amounts) return `${formatPence(cashbackPence)} cashback ${subject}`;
  if (change === "amended" || change === "corrected")
    return `Cashback ${subject} from ${formatPence(amounts.wasPence)} to ${formatPence(amounts.isPence)}`;
  return `${formatPence(amounts.isPence)} cashback ${subject}, was ${formatPence(amounts.wasPence)}`;
}

/** Changes of a member's cashback; one mail for all changes within a short time (M9). */
export const cashbackNews = mailTemplate({
  kind: "cashback-news",
  schema: z.object({
    items: z
      .array(
        z.object({
          change: z.enum(changeKinds),
          retailerName: z.string().min(1),
          cashbackPence: z.int(),
          /** Set if the amount has changed since the member was last told. */
          amounts: z.object({ wasPence: z.int(), isPence: z.int() }).nullable().default(null),
          /** One sentence of explanation; null if none is needed. */
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
      ? `${subjectWords(first)}: ${first.retailerName}`
      : changes.size === 1
        ? `${first.change === "amended" ? "Cashback" : `${total} cashback`} ${words.subject}: ${items.length} purchases`
        : `News of your cashback: ${items.length} purchases`;
    return {
      subject,
      preheader: isOne ? words.means : items.map(({ retailerName }) => retailerName).join(", "),
      unsubscribePath: withToken(paths.unsubscribe, token),
      blocks: [
        ...(isOne
          ? [
              { kind: "paragraph" as const, text: words.means },
              ...(first.reason ? [{ kind: "paragraph" as const, text: `Why: ${first.reason}` }] : []),
              {
                kind: "facts" as const,
                facts: [
                  { label: "Shop", value: first.retailerName },
                  { label: "Cashback", value: formatPence(first.amounts?.isPence ?? first.cashbackPence) },
                  ...(first.amounts ? [{ label: "Changed", value: capital(wasAndIs(first.amounts)) }] : []),
                ],
              },
            ]
          : [
              {
                kind: "list" as const,
                items: items.map(
                  ({ change, retailerName, cashbackPence, amounts, reason }) =>
                    `${retailerName}, ${amounts ? wasAndIs(amounts) : formatPence(cashbackPence)}: ${CASHBACK_CHANGE_WORDS[change].means}${reason ? ` Why: ${reason}` : ""}`,
                ),
              },
            ]),
        { kind: "button", label: "See your cashback", path: paths.profile },
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
