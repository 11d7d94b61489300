import { z } from "zod";
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
export const mintSchema = z.strictObject({
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
      description: "Your own name for what this visitor is about to do, such as a basket's number.",
      examples: ["basket-1042"],
    })
    .optional(),
  path: z
    .string()
    .refine((path) => readFramePath(path) !== null, 'Give a path of ours, such as "/pay".')
    .meta({ description: 'The page that redirectUrl opens; "/pay" when left out.', examples: ["/pay"] })
    .optional(),
});

export type MintRequest = z.infer<typeof mintSchema>;

/** The response: a token for the widget's `token`, and the address of a frame for partners who build their own. */
export const mintAnswerSchema = z.object({
  token: z.string().meta({ description: "For the widget's property token: good for one frame, until expiresAt." }),
  expiresAt: z.iso.datetime().meta({ description: "A minute from now at most, in UTC." }),
  redirectUrl: z.url().meta({ description: "The address the widget's frame loads, with this token and path." }),
});

export type MintAnswer = z.infer<typeof mintAnswerSchema>;
