import { SMTPServer } from "smtp-server";
import type { State } from "../state/state.ts";
import { storeMessage } from "./mail-store.ts";

export interface MailServer {
  port: number;
  close(): Promise<void>;
}

const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;

/**
 * An SMTP server that stores any message to anyone. No TLS; a user name and password are accepted but not required.
 * It replies "250 OK" after the message is stored. Port 0 means a free port.
 */
export async function startMailServer(state: State, port: number, host: string): Promise<MailServer> {
  const server = new SMTPServer({
    name: "mailbox.sandbox.example",
    banner: "Nothing is delivered from here",
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    size: MAX_MESSAGE_BYTES,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? "anyone" }),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", (error: Error) => done(error));
      stream.on("end", () => {
        if (stream.sizeExceeded)
          return done(Object.assign(new Error("The message is larger than 25 MB."), { responseCode: 552 }));
        const { mailFrom, rcptTo } = session.envelope;
        storeMessage(state, Buffer.concat(chunks), {
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
        }).then(
          (id) => done(null, `Kept as message ${id}`),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        );
      });
    },
  });
  server.on("error", (error) => console.warn(`Sandbox: the mailbox reports ${error.message}`));
  await new Promise<void>((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(port, host, () => {
      server.server.off("error", reject);
      resolve();
    });
  });
  const address = server.server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
