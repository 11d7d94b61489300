import { checkSmtpServer, type SmtpFault } from "@farthing/providers/mail/smtp-sender.ts";
import type { Config } from "../env.ts";
import { type Finding, ok, wrong } from "./finding.ts";

const STEP_TIMEOUT_MS = 4_000;

const faults: Record<SmtpFault, [says: string, remedy: string]> = {
  unreachable: ["does not answer", "Start it, or correct SMTP_URL."],
  "no-tls": ["offers no TLS", "Mails carry links that open accounts: use a server with STARTTLS, or smtps://."],
  "refused-login": ["refuses the user and password", "Correct SMTP_URL."],
  other: ["answers, but not as a mail server", "Correct the host and port of SMTP_URL."],
};

/** Greets the mail server as a mail would, and sends nothing (M9). */
export async function lookAtMail(
  { environment, mail }: Pick<Config, "environment" | "mail">,
  check = checkSmtpServer,
): Promise<Finding[]> {
  const fault = await check({ url: mail.smtpUrl, needsTls: environment !== "dev" }, { timeoutMs: STEP_TIMEOUT_MS });
  if (fault === null) return [ok("The mail server answers.")];
  const [says, remedy] = faults[fault];
  return [wrong(`The mail server ${says}.`, remedy)];
}
