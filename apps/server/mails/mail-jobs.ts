import type { Brand } from "@farthing/core/brands/brand.ts";
import { findMainHost } from "@farthing/core/brands/main-host.server.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { mailContent } from "@farthing/core/mails/mail.ts";
import { MailRefusedError, type MailSender } from "@farthing/core/mails/mail-sender.ts";
import { claimDueMails, nextMailDue, settleMail, type DueMail } from "@farthing/core/mails/outbox.server.ts";
import { renderMail } from "@farthing/core/mails/render-mail.ts";
import { answerResetRequests } from "@farthing/core/sign-in/password-reset.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Pool } from "pg";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startListening } from "../jobs/listening.ts";
import { startLoop } from "../jobs/loop.ts";

export interface MailJobParts {
  db: Db;
  sender: MailSender;
  /** A brand's address from its host: the scheme, and in development the port. */
  originOf(host: string): string;
  logger: JobLogger;
  now?: () => Date;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}

/** Longer than the sender may take, so that two processes don't send the same mail at a time. */
const LEASE_MS = 120_000;
const MOST = 20;
const IDLE_MS = 5_000;
const BRANDS_MS = 30_000;

/** Sends what waits in the outbox, for processes with the role worker; any number may (product.md M9). One connection is kept to hear of new mails. */
export function startMailJobs({ pool, ...parts }: MailJobParts & { pool: Pool }): { close(): Promise<void> } {
  const { db, logger, now = () => new Date() } = parts;
  const onError = (job: string) => (error: unknown) =>
    logger.error({ err: error, job }, "a job failed and will run again");
  const post = openPost(parts);
  let isClosing = false;
  const loop = startLoop({
    onError: onError("send mails"),
    async round() {
      let sent = 0;
      await allSteps([
        () => answerResetRequests(db, { now: now() }),
        async () => (sent = await post.sendDue(() => isClosing)),
      ]);
      if (sent > 0) return 0;
      const due = await nextMailDue(db);
      return due ? Math.min(Math.max(due.getTime() - now().getTime(), 10), IDLE_MS) : IDLE_MS;
    },
  });
  const listening = startListening({
    pool,
    channel: "mails",
    onNotice: loop.wake,
    onError: onError("listen for mails"),
  });
  return {
    async close() {
      isClosing = true;
      await Promise.all([listening.close(), loop.close()]);
      parts.sender.close();
    },
  };
}

/** One who knows the brands and sends their mails. */
export function openPost({
  db,
  sender,
  originOf,
  logger,
  now = () => new Date(),
  clock = () => performance.now(),
}: MailJobParts) {
  let known: { brands: Map<string, { brand: Brand; host: string }>; readAt: number } | null = null;

  async function brandOf(id: string): Promise<{ brand: Brand; host: string }> {
    if (!known || clock() - known.readAt >= BRANDS_MS || !known.brands.has(id)) {
      const brands = await listBrands(db);
      const hosts = await Promise.all(brands.map((brand) => findMainHost(db, brand.id)));
      const named = brands.flatMap((brand, index) => (hosts[index] ? [{ brand, host: hosts[index] }] : []));
      known = { brands: new Map(named.map((entry) => [entry.brand.id, entry])), readAt: clock() };
    }
    const found = known.brands.get(id);
    if (!found) throw new Error("The brand of a mail has no host to lead to");
    return found;
  }

  /** Gives the subject it was sent with. */
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

  /** Never throws: one mail's trouble is not the others'. Logs name the mail, never what it says or whom it goes to. */
  async function deliver(mail: DueMail): Promise<void> {
    const about = { mail: mail.id, kind: mail.kind, attempts: mail.attempts };
    try {
      const subject = await send(mail);
      await settleMail(db, { ...mail, now: now(), outcome: "sent", subject });
    } catch (error) {
      const { name, code } = error as { name?: string; code?: string };
      const isForGood = error instanceof MailRefusedError;
      const words = `${name ?? "Error"} ${code ?? ""}: ${error instanceof Error ? error.message : ""}`;
      const state = await settleMail(db, { ...mail, now: now(), outcome: "failed", error: words, isForGood });
      if (state === "given-up") logger.error({ ...about, code: code ?? name }, "a mail was given up");
      else logger.warn({ ...about, code: code ?? name }, "a mail could not be sent and will be tried again");
    }
  }

  return {
    /** Sends what is due and gives how many were taken. What is not begun when `isClosing` is left for the next process. */
    async sendDue(isClosing: () => boolean = () => false): Promise<number> {
      if (isClosing()) return 0;
      const due = await claimDueMails(db, { now: now(), leaseMs: LEASE_MS, most: MOST });
      const results = await Promise.allSettled(due.map((mail) => deliver(mail)));
      // Settling itself failed (the database is away): the lease ends, and the mail is due again.
      for (const result of results)
        if (result.status === "rejected") logger.error({ err: result.reason }, "a mail was not settled");
      return due.length;
    },
  };
}
