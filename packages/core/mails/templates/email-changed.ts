import { z } from "zod";
import { mailTemplate, type MailBlock } from "../mail-template.ts";

const words = {
  added: (email: string) => `The address ${email} was added to your account. It can be used to sign in from now on.`,
  main: (email: string) => `The main address of your account is now ${email}. We write to it from now on.`,
  removed: (email: string) => `The address ${email} was removed from your account and no longer opens it.`,
};

const advice: MailBlock[] = [
  {
    kind: "paragraph",
    text: "If it was you, there is nothing to do. If it was not, choose a new password, and look at the addresses and sessions of your account.",
  },
];

const wayBack = (path: string): MailBlock[] => [
  { kind: "paragraph", text: "If it was you, there is nothing to do. If it was not, take it back within seven days:" },
  { kind: "button", label: "This was not me", path },
  {
    kind: "small-print",
    text: "That makes this address the main one again, removes the password, passkeys, two-step sign-in and later addresses, signs everyone out and sends you a link to choose a new password.",
  },
];

/** For the address that a change takes something from, with a link to undo it if it may have one (email-rules.ts). */
export const emailChanged = mailTemplate({
  kind: "email-changed",
  schema: z.object({
    what: z.enum(["added", "main", "removed"]),
    email: z.string().max(254),
    path: z.string().startsWith("/").optional(),
  }),
  content: ({ what, email, path }, { name }) => ({
    subject: `The e-mail addresses of your account with ${name} changed`,
    preheader: "If it was you, there is nothing to do.",
    blocks: [{ kind: "paragraph", text: words[what](email) }, ...(path === undefined ? advice : wayBack(path))],
  }),
});
