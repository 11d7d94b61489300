import type { z } from "zod";

/** What a mail consists of; rendered once to HTML in the brand's look and to plain text (render-mail.ts). */
export type MailBlock =
  | { kind: "paragraph"; text: string }
  /** A link to a page of ours, by its path; the brand's own address is put in front. */
  | { kind: "button"; label: string; path: string }
  /** Something to read off or type: large, spaced. */
  | { kind: "code"; text: string }
  | { kind: "list"; items: string[] }
  /** Label and value, one under the other. */
  | { kind: "facts"; facts: { label: string; value: string }[] }
  | { kind: "small-print"; text: string };

export interface MailContent {
  subject: string;
  /** The line that a list of mails shows after the subject. */
  preheader: string;
  blocks: MailBlock[];
  /** Where a person says that they want no more mails of this kind; left out where a mail must come. */
  unsubscribePath?: string;
}

/** What a template knows of the brand it speaks for. */
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

/** One kind of mail: its name, what has to be known to write it, and its words. Add it to the list in mail.ts. */
export function mailTemplate<const Kind extends string, Schema extends z.ZodType>(
  template: MailTemplate<Kind, Schema>,
): MailTemplate<Kind, Schema> {
  return template;
}
