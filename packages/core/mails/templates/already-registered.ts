import { z } from "zod";
import { longDate } from "../long-date.ts";
import { mailTemplate, type MailContent } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/**
 * For a person who registers with an address that has an account, or was removed from one and can still go back
 * (`heldUntil`): the page says the same to everyone, and only the mailbox's owner learns it.
 */
export const alreadyRegistered = mailTemplate({
  kind: "already-registered",
  schema: z.object({ heldUntil: z.iso.datetime().optional() }),
  content: ({ heldUntil }, { name }) => (heldUntil === undefined ? hasAccount(name) : isHeld(name, heldUntil)),
});

const hasAccount = (name: string): MailContent => ({
  subject: `You already have an account with ${name}`,
  preheader: "Log in, or choose a new password.",
  blocks: [
    {
      kind: "paragraph",
      text: `Somebody, probably you, signed up to ${name} with this e-mail address. It has an account already.`,
    },
    { kind: "button", label: "Log in", path: paths.login },
    { kind: "paragraph", text: "If you forgot your password, choose “Forgotten password?” on that page." },
    { kind: "small-print", text: "If it was not you, do nothing: nothing has changed." },
  ],
});

const isHeld = (name: string, heldUntil: string): MailContent => ({
  subject: `This address was removed from an account with ${name}`,
  preheader: "It can go back to that account for a few days.",
  blocks: [
    {
      kind: "paragraph",
      text: `Somebody, probably you, wanted to use this e-mail address with ${name}. It was removed from an account a few days ago, and that account can have it back until ${longDate(heldUntil)}. Nobody else can use it until then.`,
    },
    {
      kind: "paragraph",
      text: `If you did not remove it, press “This was not me” in our e-mail “The e-mail addresses of your account with ${name} changed”.`,
    },
    { kind: "paragraph", text: "If you did, and want it on another account, try again after that day." },
    { kind: "small-print", text: "If it was not you who wanted to use it, nothing has changed." },
  ],
});
