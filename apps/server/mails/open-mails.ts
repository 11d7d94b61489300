import { createSmtpSender } from "@farthing/providers/mail/smtp-sender.ts";
import { brandOrigins } from "../brands/brand-origins.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import type { ServerParts } from "../server-parts.ts";
import { startMailJobs } from "./mail-jobs.ts";

/** Starts sending the outbox by SMTP. */
export function openMails({
  config,
  db,
  pool,
  logger,
}: Pick<ServerParts, "config" | "db" | "pool" | "logger">): ReturnType<typeof startMailJobs> {
  const isDevelopment = config.environment === "dev";
  const sender = createSmtpSender({ url: config.mail.smtpUrl, from: config.mail.from, needsTls: !isDevelopment });
  const mailCountSecret = deriveKey(config.secret, "mail-count");
  return startMailJobs({ db, pool, sender, originOf: brandOrigins(config), mailCountSecret, logger });
}
