import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

const subjects = {
  on: "Two-step sign-in is on",
  off: "Two-step sign-in is off",
  "recovery-code-used": "A recovery code was used",
};

const words = {
  on: () => "From now on, signing in with your password also takes a code from your app.",
  off: () => "From now on, your password alone opens your account.",
  "recovery-code-used": (left: number) =>
    `Somebody signed in with one of your recovery codes. ${left === 0 ? "None is left: make new ones." : `${left} ${left === 1 ? "is" : "are"} left.`}`,
};

export const secondFactor = mailTemplate({
  kind: "second-factor",
  schema: z.object({ what: z.enum(["on", "off", "recovery-code-used"]), codesLeft: z.number().int().min(0) }),
  content: ({ what, codesLeft }, { name, supportEmail }) => ({
    subject: `${subjects[what]} at ${name}`,
    preheader: "If it was you, there is nothing to do.",
    blocks: [
      { kind: "paragraph", text: words[what](codesLeft) },
      { kind: "button", label: "See your sign-in settings", path: paths.security },
      { kind: "small-print", text: `If it was not you, choose a new password at once and write to ${supportEmail}.` },
    ],
  }),
});
