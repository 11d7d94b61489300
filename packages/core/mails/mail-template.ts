import type { z } from "zod";

/** The parts of a mail, rendered to HTML in the brand's style and to plain text (render-mail.ts). */
export type MailBlock =
  | { kind: "paragraph"; text: string }
  /** A link to a page of the site, by its path; the brand's origin is put in front. */
  | { kind: "button"; label: string; path: string }
  /** Text to read or type, large and spaced. */
  | { kind: "code"; text: string }
  | { kind: "list"; items: string[] }
  /** Labels with values, one under another. */
  | { kind: "facts"; facts: { label: string; value: string }[] }
  | { kind: "small-print"; text: string };

export interface MailContent {
  subject: string;
  /** The line that mail programs show after the subject. */
  preheader: string;
  blocks: MailBlock[];
  /** The path to unsubscribe from mails of this kind; left out for mails that are always sent. */
  unsubscribePath?: string;
}

/** The brand's data for templates. */
export interface MailBrand {
  name: string;
  strapline: string;
  supportEmail: string;
}

export interface MailTemplate<Kind extends string, Schema extends z.ZodType> {
  kind: Kind;
  schema: Schema;
  content(data: z.output<Schema>, brand: MailBrand): MailContent;
}

/** One kind of mail: its name, the schema of its data, and its words. Add new kinds to the list in mail.ts. */
export function mailTemplate<const Kind extends string, Schema extends z.ZodType>(
  template: MailTemplate<Kind, Schema>,
): MailTemplate<Kind, Schema> {
  return template;
}
