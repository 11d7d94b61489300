import type { Brand } from "@farthing/core/brands/brand.ts";
import { findMainHost } from "@farthing/core/brands/main-host.server.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { mailContent } from "@farthing/core/mails/mail.ts";
import { MailRefusedError, type MailSender } from "@farthing/core/mails/mail-sender.ts";
import { claimDueMails, failMail, settleSentMail, type DueMail } from "@farthing/core/mails/outbox.server.ts";
import { renderMail } from "@farthing/core/mails/render-mail.ts";
import type { Db } from "@farthing/db/client.ts";
import { allOf } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";

export interface MailerParts {
  db: Db;
  sender: MailSender;
  /** Returns a brand's origin from its host: the scheme, and in development the port. */
  originOf(host: string): string;
  logger: JobLogger;
  now?: () => Date;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}

/** Longer than the sender may take for one mail. */
const LEASE_MS = 120_000;
/** A round begins no more mails than this. */
const MAX_BEGUN = 20;
/** How long brands and their hosts are kept. */
const BRANDS_MS = 30_000;

/** Sends the mails of all brands. */
export function openMailer({
  db,
  sender,
  originOf,
  logger,
  now = () => new Date(),
  clock = () => performance.now(),
}: MailerParts) {
  let known: { brands: Map<string, { brand: Brand; host: string }>; readAt: number } | null = null;

  async function brandOf(id: string): Promise<{ brand: Brand; host: string }> {
    if (!known || clock() - known.readAt >= BRANDS_MS || !known.brands.has(id)) {
      const brands = await listBrands(db);
      const hosts = await Promise.all(brands.map((brand) => findMainHost(db, brand.id)));
      const named = brands.flatMap((brand, index) => (hosts[index] ? [{ brand, host: hosts[index] }] : []));
      known = { brands: new Map(named.map((entry) => [entry.brand.id, entry])), readAt: clock() };
    }
    const found = known.brands.get(id);
    if (!found) throw new Error("The mail's brand has no main host, so its links would lead nowhere.");
    return found;
  }

  /** Returns the subject that the mail was sent with. */
  async function send(mail: DueMail): Promise<string> {
    const { brand, host } = await brandOf(mail.brandId);
    const origin = originOf(host);
    const content = mailContent(mail.kind, mail.data, brand);
    const rendered = renderMail(content, { ...brand, origin });
    await sender.send({
      ...rendered,
      messageId: `${mail.id}@${host}`,
      fromName: brand.name,
      replyTo: brand.supportEmail,
      to: mail.recipient,
      unsubscribeUrl: content.unsubscribePath === undefined ? null : origin + content.unsubscribePath,
      sentAt: now(),
    });
    return rendered.subject;
  }

  /**
   * A mail that can't be sent does not reject: other mails go on. Logs name the mail, never its text or its recipient.
   */
  async function deliver(mail: DueMail): Promise<void> {
    const about = { mail: mail.id, kind: mail.kind, attempts: mail.attempts };
    try {
      const subject = await send(mail);
      await settleSentMail(db, { mail, subject, now: now() });
    } catch (thrown) {
      const { name, code } = thrown as { name?: string; code?: string };
      const error = `${name ?? "Error"} ${code ?? ""}: ${thrown instanceof Error ? thrown.message : ""}`;
      const isPermanent = thrown instanceof MailRefusedError;
      const state = await failMail(db, { mail, error, isPermanent, now: now() });
      if (state === "buried") logger.error({ ...about, code: code ?? name }, "a mail was given up");
      if (state === "waiting")
        logger.warn({ ...about, code: code ?? name }, "a mail could not be sent and will be tried again");
    }
  }

  return {
    /**
     * Sends what is due and returns the number of mails claimed. Claims nothing once `isClosing`. Each mail is claimed when the sender is free for it: one
     * that waited for others could outlive its lease, and another process would send it, too.
     */
    async sendDue(isClosing: () => boolean = () => false): Promise<number> {
      let begun = 0;
      let claimed = 0;
      const sendOneByOne = async () => {
        while (begun < MAX_BEGUN && !isClosing()) {
          begun += 1;
          const [mail] = await claimDueMails(db, { now: now(), leaseMs: LEASE_MS, max: 1 });
          if (!mail) return;
          claimed += 1;
          // The outcome could not be written (the database is away): the lease ends, and the mail is due again.
          await deliver(mail).catch((err: unknown) => logger.error({ err }, "a mail was not settled"));
        }
      };
      await allOf(Array.from({ length: sender.atOnce }, sendOneByOne));
      return claimed;
    },
  };
}
