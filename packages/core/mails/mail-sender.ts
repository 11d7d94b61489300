/** A mail as it goes over the wire. */
export interface OutgoingMail {
  /** Stays the same at every try, so that a mailbox that has had it can tell. Without angle brackets. */
  messageId: string;
  fromName: string;
  replyTo: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Where a person unsubscribes; null where a mail must come. */
  unsubscribeUrl: string | null;
  sentAt: Date;
}

/** Whoever carries mails out of the house; packages/providers/mail has the one for SMTP. */
export interface MailSender {
  /**
   * Resolves when the next server has taken the mail.
   * @throws MailRefusedError where it never will; any other error may pass.
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The mail's recipient or content was refused for good. */
export class MailRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MailRefusedError";
  }
}
