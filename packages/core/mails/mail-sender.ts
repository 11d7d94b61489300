/** A mail as it is sent. */
export interface OutgoingMail {
  /** The same at every attempt, so that a mailbox can recognise a duplicate. Without angle brackets. */
  messageId: string;
  fromName: string;
  replyTo: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** The address to unsubscribe at; null for mails that are always sent. */
  unsubscribeUrl: string | null;
  sentAt: Date;
}

/** Sends mails; packages/providers/mail implements it with SMTP. */
export interface MailSender {
  /** How many mails it sends at the same time; one more waits. */
  atOnce: number;
  /**
   * Resolves when the next server has accepted the mail.
   * @throws MailRefusedError if the server will never accept it; any other error may be temporary
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** Thrown when recipient or content are refused permanently. */
export class MailRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MailRefusedError";
  }
}
