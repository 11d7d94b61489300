import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  contentType: string;
  fields: URLSearchParams;
  /** The JSON of the form field. */
  message: Record<string, unknown>;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Sets the status of all further responses; 200 at first. */
  answer(status: number): void;
  close(): Promise<void>;
}

/** A minimal receiver of pushes, which records them. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const fields = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
      received.push({
        contentType: request.headers["content-type"] ?? "",
        fields,
        message: JSON.parse(fields.get("AwinTransactionPush") ?? "{}") as Record<string, unknown>,
      });
      response.writeHead(status).end(status === 200 ? "ok" : "not now");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`,
    received,
    answer: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
