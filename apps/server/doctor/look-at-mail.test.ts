import type { SmtpFault } from "@farthing/providers/mail/smtp-sender.ts";
import { expect, test } from "vitest";
import { lookAtMail } from "./look-at-mail.ts";

const SMTP_URL = "smtp://club:Zw81xqPd@mail.club.uk:587";
const mail = { smtpUrl: SMTP_URL, from: "club@club.uk" };

test("M9 a mail server that greets is in order; outside development it has to offer TLS", async () => {
  const asked: { url: string; needsTls: boolean }[] = [];
  const check = (settings: { url: string; needsTls: boolean }) => {
    asked.push(settings);
    return Promise.resolve(null);
  };
  expect(await lookAtMail({ environment: "dev", mail }, check)).toMatchObject([{ level: "ok" }]);
  expect(await lookAtMail({ environment: "production", mail }, check)).toMatchObject([{ level: "ok" }]);
  expect(asked).toEqual([
    { url: SMTP_URL, needsTls: false },
    { url: SMTP_URL, needsTls: true },
  ]);
});

const faults: [fault: SmtpFault, says: string][] = [
  ["unreachable", "The mail server does not answer."],
  ["no-tls", "The mail server offers no TLS."],
  ["refused-login", "The mail server refuses the user and password."],
  ["other", "The mail server answers, but not as a mail server."],
];
test.each(faults)("M9 %s is a fault with its sentence, without the password", async (fault, says) => {
  const found = await lookAtMail({ environment: "dev", mail }, () => Promise.resolve(fault));
  expect(found).toEqual([{ level: "wrong", says, remedy: expect.stringMatching(/\w/) as string }]);
  expect(JSON.stringify(found)).not.toContain("Zw81xqPd");
});
