import { z } from "zod";
import { priceOf, type FixedPrice } from "./fixed-price.ts";
import { amountPenceSchema } from "./amount-schema.ts";
import { isPartnerOrigin, readFramePath } from "./rules.ts";

/** The origin (scheme, host and port) of a page that may hold a frame. */
export const partnerOriginSchema = z
  .string()
  .max(255)
  .refine(
    isPartnerOrigin,
    "Give an origin as browsers write it, such as https://shop.example: https, no path, no final slash.",
  );

/** The request for a token: POST /api/partner/sessions (W10). */
export const mintSchema = z
  .strictObject({
    origin: partnerOriginSchema.meta({
      description: "The page that will hold the frame: one of your allowed origins.",
      examples: ["https://shop.example"],
    }),
    reference: z
      .string()
      .min(1, "Leave it out, or give 1 to 100 characters.")
      .max(100, "Give at most 100 characters.")
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "Leave out line breaks and other control characters.")
      .meta({
        description:
          "Your own name for what this visitor is about to do, such as a basket's number. Required with amountPence: the payment carries it.",
        examples: ["basket-1042"],
      })
      .optional(),
    amountPence: amountPenceSchema
      .meta({
        description:
          "The price in pence of pounds sterling. The visitor pays this amount and can't change it. Without it, the visitor types amount and reference.",
        examples: [3420],
      })
      .optional(),
    description: z
      .string()
      .min(1, "Leave it out, or give 1 to 200 characters.")
      .max(200, "Give at most 200 characters.")
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "Leave out line breaks and other control characters.")
      .meta({
        description: "What the visitor pays for, shown above the price. Needs amountPence.",
        examples: ["Friday hamper, delivered on 27 November"],
      })
      .optional(),
    email: z
      .email("Give an e-mail address.")
      .max(254, "Give at most 254 characters.")
      .meta({
        description: "Where the card provider sends its receipt. Needs amountPence.",
        examples: ["robin@customer.example"],
      })
      .optional(),
    oncePerReference: z
      .boolean("Give true or false.")
      .meta({
        description:
          "The reference names an order that can be paid only once, however many sessions you open for it. Requires amountPence.",
        examples: [true],
      })
      .optional(),
    path: z
      .string()
      .refine((path) => readFramePath(path) !== null, 'Give a path of ours, such as "/pay".')
      .meta({ description: 'The page that redirectUrl opens; "/pay" when left out.', examples: ["/pay"] })
      .optional(),
  })
  .superRefine(({ amountPence, reference, description, email, oncePerReference }, context) => {
    // What is wrong with a field alone is said alone: "Leave it out" beside "Give it as well" would contradict.
    const hasFailed = new Set(context.issues.map(({ path }) => path?.[0]));
    const add = (field: string, message: string) => {
      if (!hasFailed.has(field)) context.addIssue({ code: "custom", path: [field], message });
    };
    if (amountPence !== undefined && (reference === undefined || reference.trim() === ""))
      add("reference", "Give a reference as well: a payment of a fixed price carries it.");
    if (amountPence === undefined && description !== undefined) add("description", "Give amountPence as well.");
    if (amountPence === undefined && email !== undefined) add("email", "Give amountPence as well.");
    if (amountPence === undefined && oncePerReference === true)
      add("oncePerReference", "Give amountPence as well: oncePerReference needs a fixed price.");
  });

export type MintRequest = z.infer<typeof mintSchema>;

/** Returns the price that a request fixes; null where the visitor chooses the amount. */
export function requestedPrice(request: MintRequest): FixedPrice | null {
  const { amountPence, reference, description, email, oncePerReference = false } = request;
  return priceOf({
    amountPence: amountPence ?? null,
    reference: reference?.trim() ?? null,
    description: description ?? null,
    email: email ?? null,
    oncePerReference,
  });
}

/** The response: a token for the widget's `token`, and the address of a frame for partners who build their own. */
export const mintAnswerSchema = z.object({
  sessionId: z.uuid().meta({
    description: "The id of the session that the token opens, which payments and webhooks carry.",
  }),
  token: z.string().meta({ description: "For the widget's property token: good for one frame, until expiresAt." }),
  expiresAt: z.iso.datetime().meta({ description: "A minute from now at most, in UTC." }),
  redirectUrl: z.url().meta({ description: "The address the widget's frame loads, with this token and path." }),
});

export type MintAnswer = z.infer<typeof mintAnswerSchema>;
