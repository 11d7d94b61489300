import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";

export const operatorInvitation = mailTemplate({
  kind: "operator-invitation",
  schema: z.object({ path: z.string().startsWith("/"), why: z.enum(["invited", "reset"]), days: z.number().int() }),
  content: ({ path, why, days }) => ({
    subject: why === "invited" ? "You are invited to the admin" : "Choose a new password for the admin",
    preheader: `The link works once, for ${days} days.`,
    blocks: [
      {
        kind: "paragraph",
        text:
          why === "invited"
            ? "An owner has made you an operator. Choose a password; at your first sign-in you then set up an app for codes on your phone."
            : "An owner has reset your access to the admin. Choose a new password; at the next sign-in you set up the app for codes again.",
      },
      { kind: "button", label: "Choose a password", path },
      {
        kind: "small-print",
        text: `The link works once, for ${days} days. If you did not expect this, do nothing and tell the owner.`,
      },
    ],
  }),
});
