import { createTransport } from "nodemailer";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../testing/start-test-sandbox.ts";

interface WireMessage {
  id: number;
  from: string;
  to: string[];
  subject: string;
  text: string | null;
  html: string | null;
  links: string[];
}

let testSandbox: TestSandbox;
beforeAll(async () => {
  testSandbox = await startTestSandbox({ smtpPort: 0 });
});
afterAll(() => testSandbox.end());
beforeEach(async () => {
  await testSandbox.call("/mailbox/messages", { method: "DELETE" });
});

const transport = () =>
  createTransport({ host: "127.0.0.1", port: testSandbox.sandbox.smtpPort ?? 0, secure: false, ignoreTLS: true });

describe("M9 the mailbox", () => {
  test("M9 the mailbox stores a message with text, HTML and its links, and finds it by recipient", async () => {
    await transport().sendMail({
      from: "Club <club@club.example>",
      to: "Ada@Example.org",
      bcc: "quiet@example.org",
      subject: "Confirm your e-mail – naïve £5",
      text: "Follow https://club.example/confirm?token=abc&x=1.\nThanks",
      html: '<p>Follow <a href="https://club.example/confirm?token=abc&amp;x=1">this</a></p>',
    });
    const found = await testSandbox.json<WireMessage[]>("GET", "/mailbox/messages?to=ada@example.org");
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      from: "club@club.example",
      to: ["ada@example.org", "quiet@example.org"],
      subject: "Confirm your e-mail – naïve £5",
      links: ["https://club.example/confirm?token=abc&x=1"],
    });
    expect(await testSandbox.json<WireMessage[]>("GET", "/mailbox/messages?to=quiet@example.org")).toHaveLength(1);
    expect(await testSandbox.json<WireMessage[]>("GET", "/mailbox/messages?to=someone@example.org")).toEqual([]);
  });

  test("M9 the mailbox accepts a plain SMTP conversation, with dot-stuffing", async () => {
    const lines = [
      "EHLO test",
      "MAIL FROM:<a@b.example>",
      "RCPT TO:<c@d.example>",
      "DATA",
      "Subject: Plain\r\n\r\nOne\r\n..dot\r\n.",
      "QUIT",
    ];
    const answers = await converse(testSandbox.sandbox.smtpPort ?? 0, lines);
    expect(answers.at(-2)).toMatch(/^250 .*Kept as message/);
    const [message] = await testSandbox.json<WireMessage[]>("GET", "/mailbox/messages?to=c@d.example");
    expect(message).toMatchObject({ subject: "Plain", html: null });
    expect(message?.text?.trim()).toBe("One\n.dot");
  });

  test("S1 a message's HTML is shown in a frame, without script and requests", async () => {
    await transport().sendMail({
      from: "a@b.example",
      to: "c@d.example",
      subject: "<img src=x onerror=alert(1)>",
      html: "<script>alert(1)</script><p>Hello</p>",
    });
    const [message] = await testSandbox.json<WireMessage[]>("GET", "/mailbox/messages");
    const page = await (await testSandbox.call(`/mailbox/messages/${message?.id}`)).text();
    expect(page).toContain('sandbox=""');
    expect(page).not.toContain("<img src=x");
    const inner = await testSandbox.call(`/mailbox/messages/${message?.id}/html`);
    expect(inner.headers.get("content-security-policy")).toContain("sandbox; default-src 'none'");
    expect(await (await testSandbox.call("/mailbox")).text()).not.toContain("<img src=x");
  });

  test("M9 an unknown message returns 404", async () => {
    expect((await testSandbox.call("/mailbox/messages/123456")).status).toBe(404);
  });
});

/** Sends each line after the reply to the previous one. Returns the replies. */
function converse(port: number, lines: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const answers: string[] = [];
    const socket = connect(port, "127.0.0.1");
    let left = [...lines];
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      // A reply ends with a line whose code is followed by a space.
      if (!/^\d{3} .*\r\n$/m.test(text.slice(text.lastIndexOf("\r\n", text.length - 3) + 1).trimStart())) return;
      answers.push(text.trim().split("\r\n").at(-1) ?? "");
      text = "";
      const [next, ...rest] = left;
      left = rest;
      if (next !== undefined) socket.write(`${next}\r\n`);
    });
    socket.on("end", () => resolve(answers));
    socket.on("error", reject);
  });
}
