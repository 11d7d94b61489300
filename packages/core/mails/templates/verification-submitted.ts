import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

export const verificationSubmitted = mailTemplate({
  kind: "verification-submitted",
  schema: z.object({ isRenewal: z.boolean() }),
  content: ({ isRenewal }, { name }) => ({
    subject: "We have your proof of membership",
    preheader: "A person looks at it, usually within two working days.",
    blocks: [
      {
        kind: "paragraph",
        text: `Thank you for sending your proof to ${name}. A person looks at it, usually within two working days. We write to you as soon as they have.`,
      },
      ...(isRenewal
        ? [{ kind: "paragraph" as const, text: "Your membership stays as it is until then." }]
        : [{ kind: "paragraph" as const, text: "You can look around and use offers meanwhile." }]),
      { kind: "button", label: "See how it stands", path: paths.verification },
      {
        kind: "small-print",
        text: "The file is encrypted, seen only by the people who check it, and deleted two weeks after the decision. If you did not send it, please write to us.",
      },
    ],
  }),
});
