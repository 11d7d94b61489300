import { type AddressInfo, createServer } from "node:net";
import { MailRefusedError, type OutgoingMail } from "@farthing/core/mails/mail-sender.ts";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, test } from "vitest";
import { checkSmtpServer, createSmtpSender } from "./smtp-sender.ts";

const received: { recipients: string[]; raw: Buffer }[] = [];
let refusal: { at: "sender" | "recipient" | "login" | "data"; code: number; words?: string } | null = null;
const refused = ({ code, words = "refused" }: { code: number; words?: string }) =>
  Object.assign(new Error(words), { responseCode: code });

const server = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  logger: false,
  onAuth: (auth, _session, done) =>
    refusal?.at === "login" ? done(refused(refusal)) : done(null, { user: auth.username ?? "" }),
  onMailFrom: (_address, _session, done) => done(refusal?.at === "sender" ? refused(refusal) : null),
  onRcptTo: (_address, _session, done) => done(refusal?.at === "recipient" ? refused(refusal) : null),
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      if (refusal?.at === "data") return done(refused(refusal));
      received.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) });
      done();
    });
  },
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.server.address();
const port = typeof address === "object" && address ? address.port : 0;
const sender = createSmtpSender({ url: `smtp://127.0.0.1:${port}`, from: "club@farthing.example", needsTls: false });
afterAll(() => {
  sender.close();
  server.close();
});

const mail: OutgoingMail = {
  messageId: "0199@post.test",
  fromName: "Chalk",
  replyTo: "help@post.test",
  to: "ada@post.test",
  subject: "Hello – £5",
  html: "<p>Hello</p>",
  text: "Hello",
  unsubscribeUrl: "https://post.test/stop?token=x",
  sentAt: new Date("2026-11-20T10:00:00Z"),
};
const lastMail = async () => PostalMime.parse(received.at(-1)?.raw ?? "");

test("M9 a mail arrives with both parts, its Message-ID and its unsubscribe headers", async () => {
  await sender.send(mail);
  const parsed = await lastMail();
  expect(parsed).toMatchObject({
    messageId: "<0199@post.test>",
    from: { name: "Chalk", address: "club@farthing.example" },
    subject: "Hello – £5",
  });
  expect(parsed.html).toContain("<p>Hello</p>");
  expect(parsed.text).toContain("Hello");
  const header = (name: string) => parsed.headers.find(({ key }) => key === name)?.value;
  expect(header("list-unsubscribe")).toBe("<https://post.test/stop?token=x>");
  expect(header("list-unsubscribe-post"), "one click (RFC 8058)").toBe("List-Unsubscribe=One-Click");
  expect(header("auto-submitted")).toBe("auto-generated");
});

test("S1 a name or subject cannot add a header or a recipient", async () => {
  await sender.send({
    ...mail,
    fromName: 'Chalk"\r\nBcc: all@evil.test\r\nX: "',
    subject: "Hello\r\nBcc: all@evil.test",
  });
  const parsed = await lastMail();
  expect(received.at(-1)?.recipients).toEqual(["ada@post.test"]);
  expect(parsed.headers.map(({ key }) => key)).not.toContain("bcc");
  expect(parsed.headers.map(({ key }) => key)).not.toContain("x");
});

test.each([
  ["a recipient that does not exist", { at: "recipient", code: 550 }, true],
  ["a mailbox that is full for now", { at: "recipient", code: 452 }, false],
  ["a message refused for good", { at: "data", code: 554 }, true],
  ["a server that is busy", { at: "data", code: 451 }, false],
  ["a recipient that does not exist, in words", { at: "recipient", code: 550, words: "5.1.1 No such user" }, true],
  // What refuses the club refuses every mail, until an operator corrects it.
  ["a login that is missing", { at: "sender", code: 530, words: "5.7.0 Authentication required" }, false],
  ["a login that is missed only then", { at: "recipient", code: 530, words: "Authentication required" }, false],
  ["a sender that is refused", { at: "sender", code: 550, words: "5.7.1 Sender rejected" }, false],
  ["a sender that is refused without a reason", { at: "sender", code: 550 }, false],
  ["a sender that is refused late", { at: "recipient", code: 553, words: "5.1.8 Sender domain not found" }, false],
  ["a relay that is refused", { at: "recipient", code: 554, words: "5.7.1 Relay access denied" }, false],
  ["an address of ours on a list", { at: "data", code: 550, words: "5.7.26 Not authenticated" }, false],
] as const)("M9 %s", async (_, wanted, isForGood) => {
  refusal = wanted;
  const error: unknown = await sender.send(mail).catch((thrown: unknown) => thrown);
  refusal = null;
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof MailRefusedError).toBe(isForGood);
});

test("M9 R1 a server that answers each step slowly does not keep a mail for longer than the job has it", async () => {
  // It takes every command, and answers a little of what it says at a time without an end: no step is ever silent.
  const slow = createServer((socket) => {
    socket.on("error", () => {});
    const more = setInterval(() => socket.write("220-wait\r\n"), 5);
    socket.on("close", () => clearInterval(more));
  });
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  const url = `smtp://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const own = createSmtpSender({ url, from: "club@farthing.example", needsTls: false }, { exchangeMs: 100 });
  const error: unknown = await own.send(mail).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "ETIMEDOUT", message: "The mail server took too long." });
  expect(error).not.toBeInstanceOf(MailRefusedError);
  own.close();
  await new Promise((resolve) => slow.close(resolve));
});

test("M9 a refused login does not refuse the mail", async () => {
  refusal = { at: "login", code: 535 };
  const own = createSmtpSender({
    url: `smtp://club:wrong@127.0.0.1:${port}`,
    from: "club@farthing.example",
    needsTls: false,
  });
  const error: unknown = await own.send(mail).catch((thrown: unknown) => thrown);
  refusal = null;
  own.close();
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MailRefusedError);
});

test("S1 with TLS required, nothing is sent to a server without it", async () => {
  const before = received.length;
  const own = createSmtpSender({ url: `smtp://127.0.0.1:${port}`, from: "club@farthing.example", needsTls: true });
  await expect(own.send(mail)).rejects.toThrow(/TLS/);
  own.close();
  expect(received.length).toBe(before);
});

test("M9 a check greets the server, logs in and sends nothing; each fault has a name, and none quotes the server", async () => {
  const sentBefore = received.length;
  const check = (url: string, needsTls = false) => checkSmtpServer({ url, needsTls }, { timeoutMs: 20_000 });
  refusal = null;
  expect(await check(`smtp://127.0.0.1:${port}`)).toBeNull();
  expect(await check(`smtp://club:right@127.0.0.1:${port}`)).toBeNull();
  refusal = { at: "login", code: 535 };
  expect(await check(`smtp://club:wrong@127.0.0.1:${port}`)).toBe("refused-login");
  refusal = null;
  expect(await check(`smtp://127.0.0.1:${port}`, true)).toBe("no-tls");
  expect(await check("smtp://127.0.0.1:1")).toBe("unreachable");
  const page = createServer((socket) => socket.on("error", () => undefined).end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  expect(await check(`smtp://127.0.0.1:${(page.address() as AddressInfo).port}`)).toBe("other");
  page.close();
  expect(received).toHaveLength(sentBefore);
});
