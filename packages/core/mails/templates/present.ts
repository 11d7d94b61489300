import { z } from "zod";
import { giftDesigns } from "../../gift-cards/gift.ts";
import { designWords } from "../../gift-cards/presents-rules.ts";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";

/** For whoever gets a gift card as a present (G6). It holds a link and no code: the link opens the present once. */
export const present = mailTemplate({
  kind: "present",
  schema: z.object({
    path: z.string().startsWith("/"),
    giverName: z.string().min(1),
    recipientName: z.string().min(1),
    message: z.string(),
    design: z.enum(giftDesigns),
    card: z.string().min(1),
    facePence: z.int().positive(),
  }),
  content: ({ path, giverName, recipientName, message, design, card, facePence }, { name }) => ({
    subject: `${designWords[design].greeting}, ${recipientName}: a present from ${giverName}`,
    preheader: `A gift card for you: ${card}, ${formatPence(facePence)}.`,
    blocks: [
      { kind: "paragraph", text: `${giverName} gives you a gift card: ${card}, ${formatPence(facePence)}.` },
      ...message
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((text) => ({ kind: "paragraph" as const, text })),
      { kind: "button", label: "See the present", path },
      {
        kind: "small-print",
        text: `You need no account. Press “Open the present” on the device that you want to keep it on: it opens once, and then on that device only. Don’t pass this mail on.`,
      },
      {
        kind: "small-print",
        text: `${giverName} bought the card from ${name} and gave us your address for this present only. We send you nothing else, and remove the address 30 days after you open it.`,
      },
    ],
  }),
});
