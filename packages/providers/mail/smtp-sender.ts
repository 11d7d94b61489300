import { MailRefusedError, type MailSender, type OutgoingMail } from "@farthing/core/mails/mail-sender.ts";
import { createTransport } from "nodemailer";

export interface SmtpSettings {
  /** smtp://user:password@host:port, or smtps:// for TLS from the first byte. */
  url: string;
  /** Whose mail it is, as servers see it: an address alone. The name before it is the brand's. */
  from: string;
  /** Elsewhere than in development a server without TLS gets no mail: it would carry links that open accounts. */
  needsTls: boolean;
}

/** A connection that says nothing is given up well before the job's lease on the mail ends. */
const TIMEOUT_MS = 20_000;

/** SMTP by nodemailer: three connections, kept open. */
export function createSmtpSender({ url, from, needsTls }: SmtpSettings): MailSender {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === "smtps:";
  const transport = createTransport({
    pool: true,
    maxConnections: 3,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: needsTls && !isSecure,
    ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // What a mail holds is words: nothing in it may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(asMessage(mail, from));
      } catch (error) {
        throw isForGood(error) ? new MailRefusedError((error as Error).message) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Names and addresses are given apart, so that nodemailer encodes them: nothing in a name can end its header. */
function asMessage(mail: OutgoingMail, from: string) {
  return {
    messageId: `<${mail.messageId}>`,
    from: { name: mail.fromName, address: from },
    replyTo: { name: mail.fromName, address: mail.replyTo },
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.sentAt,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      // One click (RFC 8058): mail programs post to the address themselves, without a page.
      ...(mail.unsubscribeUrl === null ? {} : { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
    },
    ...(mail.unsubscribeUrl === null ? {} : { list: { unsubscribe: mail.unsubscribeUrl } }),
  };
}

/** A recipient or message that the server refuses with a 5xx. A failed login of ours is none: an operator puts that right. */
function isForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (code !== "EENVELOPE" && code !== "EMESSAGE") return false;
  return typeof responseCode === "number" && responseCode >= 500 && responseCode <= 599 && responseCode !== 535;
}
