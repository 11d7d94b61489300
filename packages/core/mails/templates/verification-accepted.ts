import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { longDate } from "../long-date.ts";

export const verificationAccepted = mailTemplate({
  kind: "verification-accepted",
  schema: z.object({ until: z.iso.datetime() }),
  content: ({ until }, { name }) => ({
    subject: `Your ${name} membership is verified`,
    preheader: `It is good until ${longDate(until)}.`,
    blocks: [
      { kind: "paragraph", text: `Your proof was accepted. You are a verified member of ${name}.` },
      { kind: "facts", facts: [{ label: "Good until", value: longDate(until) }] },
      { kind: "button", label: "Find an offer", path: "/" },
      {
        kind: "small-print",
        text: "If you sent a file, it is deleted two weeks from now, and we keep a record that it is gone.",
      },
    ],
  }),
});
