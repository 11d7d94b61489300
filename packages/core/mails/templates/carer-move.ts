import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";

/** Sent by the club that a member moves to (M7): the account there is created when they follow the link. */
export const carerMove = mailTemplate({
  kind: "carer-move",
  schema: z.object({
    path: z.string().startsWith("/"),
    fromName: z.string().min(1),
    days: z.number().int().positive(),
  }),
  content: ({ path, fromName, days }, { name, strapline }) => ({
    subject: `Your place at ${name} is ready`,
    preheader: strapline,
    blocks: [
      {
        kind: "paragraph",
        text: `You agreed at ${fromName} to join ${name}. Press the button, and your account here is made with your name, e-mail address, date of birth and password.`,
      },
      { kind: "button", label: `Join ${name}`, path },
      {
        kind: "paragraph",
        text: `Your account at ${fromName} stays, with all you have earned there.`,
      },
      { kind: "small-print", text: `The link works once, for ${days} days. If you did not agree, do nothing.` },
    ],
  }),
});
