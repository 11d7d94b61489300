import { expect } from "@playwright/test";

/** Waits for the newest e-mail to an address with `subject` in its subject, and returns its text and links. */
export async function newestMail(
  sandbox: string,
  { to, subject }: { to: string; subject: string },
): Promise<{ text: string; links: string[] }> {
  const find = async () => {
    const answer = await fetch(`${sandbox}/mailbox/messages?to=${encodeURIComponent(to)}`);
    const mails = (await answer.json()) as { subject: string; text: string; links: string[] }[];
    return mails.find((mail) => mail.subject.includes(subject));
  };
  let found = await find();
  await expect
    .poll(async () => (found = await find()) !== undefined, { message: `a mail to ${to}: ${subject}` })
    .toBe(true);
  if (!found) throw new Error("No mail");
  return found;
}
