import { MailRefusedError, type MailSender, type OutgoingMail } from "@farthing/core/mails/mail-sender.ts";
import { createTransport } from "nodemailer";

export interface SmtpSettings {
  /** smtp://user:password@host:port, or smtps:// for implicit TLS. */
  url: string;
  /** The sender's address alone; the display name is the brand's. */
  from: string;
  /** Whether TLS is required: outside development mails carry links that open accounts. */
  needsTls: boolean;
}

/** A silent connection times out well before the job's lease on the mail ends. */
const TIMEOUT_MS = 20_000;

/** A whole exchange ends before that lease does as well: each of its steps may take almost as long as a silence. */
const EXCHANGE_MS = 90_000;

const CONNECTIONS = 3;

/** Creates an SMTP sender on nodemailer with kept-open connections. A mail that takes longer than `exchangeMs` fails. */
export function createSmtpSender(
  { url, from, needsTls }: SmtpSettings,
  { exchangeMs = EXCHANGE_MS }: { exchangeMs?: number } = {},
): MailSender {
  const pool = { pool: true, maxConnections: CONNECTIONS } as const;
  const transport = createTransport({ ...pool, ...connectionOf({ url, needsTls }, TIMEOUT_MS) });
  return {
    atOnce: CONNECTIONS,
    async send(mail) {
      const signal = AbortSignal.timeout(exchangeMs);
      try {
        await transport.sendMail({ ...asMessage(mail, from), signal });
      } catch (error) {
        if (signal.aborted)
          throw Object.assign(new Error("The mail server took too long.", { cause: error }), { code: "ETIMEDOUT" });
        throw isForGood(error) ? new MailRefusedError((error as Error).message) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Why a mail server can't be used: it is not reached, offers no TLS, refuses the user, or has another fault. */
export type SmtpFault = "unreachable" | "no-tls" | "refused-login" | "other";

/**
 * Greets the mail server as a mail would (EHLO, STARTTLS, log in) and hangs up: nothing is sent. Returns null where it answers,
 * otherwise what is wrong, never in the server's own words.
 * @param timeoutMs for each step
 */
export async function checkSmtpServer(
  settings: Pick<SmtpSettings, "url" | "needsTls">,
  { timeoutMs }: { timeoutMs: number },
): Promise<SmtpFault | null> {
  const transport = createTransport(connectionOf(settings, timeoutMs));
  try {
    await transport.verify();
    return null;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "EAUTH") return "refused-login";
    if (code === "ETLS") return "no-tls";
    return ["ECONNECTION", "ESOCKET", "ETIMEDOUT", "EDNS", "ECONNREFUSED"].includes(String(code))
      ? "unreachable"
      : "other";
  } finally {
    transport.close();
  }
}

function connectionOf({ url, needsTls }: Pick<SmtpSettings, "url" | "needsTls">, timeoutMs: number) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: needsTls && !isSecure,
    ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Mails are text: nothing in them may name a file or a URL to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Names and addresses are passed separately, so that nodemailer encodes them: nothing in a name can end its header. */
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
      // One click (RFC 8058): mail programs post to the URL themselves, without a page.
      ...(mail.unsubscribeUrl === null ? {} : { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
    },
    ...(mail.unsubscribeUrl === null ? {} : { list: { unsubscribe: mail.unsubscribeUrl } }),
  };
}

/** Replies to a login that fails or is missing (RFC 4954), at whichever command they come. */
const LOGIN_REPLIES = [530, 534, 535, 538];

/** A reply whose enhanced code (RFC 3463) is of security or policy (5.7), or of the sender's address (5.1.7, 5.1.8). */
const REFUSES_SENDER = /^\d{3}[ -]5\.(7\.\d|1\.[78]\b)/;

/**
 * Returns whether the server refuses the recipient or message with a 5xx. What refuses the club is not one, since an operator corrects it: a login, the
 * sender, a relay that is denied. Some servers refuse a mailbox or message in the same way; those are tried until the attempts end.
 */
function isForGood(error: unknown): boolean {
  const { code, responseCode, response, command } = error as Record<string, unknown>;
  if ((code !== "EENVELOPE" && code !== "EMESSAGE") || command === "MAIL FROM") return false;
  if (typeof responseCode !== "number" || responseCode < 500 || responseCode > 599) return false;
  return !LOGIN_REPLIES.includes(responseCode) && !(typeof response === "string" && REFUSES_SENDER.test(response));
}
