import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { wholeBody } from "@farthing/site/server/whole-response.ts";
import type { Logger } from "../monitoring/logger.ts";

/**
 * Writes the app's answer to the socket: a body that is there as a whole at once and with its length, a stream as
 * fast as it is read. Rejects if a stream fails before its first bytes, so that the caller can still answer. A stream
 * that fails later closes the connection, which tells the client that something is missing.
 */
export async function writeAnswer(answer: Response, outgoing: ServerResponse, logger: Logger): Promise<void> {
  const headers = [...answer.headers].flat();
  const addLength = (bytes: number) => {
    if (!answer.headers.has("content-length")) headers.push("content-length", String(bytes));
  };
  const whole = wholeBody(answer);
  const body = whole === null ? answer.body : null;
  if (body === null) {
    if (whole !== null) addLength(Buffer.byteLength(whole));
    // A length of 0 in an answer to HEAD would say that the page itself is empty.
    else if (![204, 304].includes(answer.status) && outgoing.req.method !== "HEAD") addLength(0);
    outgoing.writeHead(answer.status, headers);
    outgoing.end(whole ?? undefined);
    return;
  }
  const reader = body.getReader();
  const first = await reader.read();
  const second = first.done ? first : await reader.read();
  const start = first.done ? new Uint8Array() : first.value;
  if (second.done) {
    addLength(start.byteLength);
    outgoing.writeHead(answer.status, headers);
    outgoing.end(start);
    return;
  }
  outgoing.writeHead(answer.status, headers);
  async function* parts(): AsyncGenerator<Uint8Array> {
    try {
      yield start;
      for (let next = second; !next.done; next = await reader.read()) yield next.value;
    } finally {
      // Also if the client has left: the producer of the stream stops.
      reader.cancel().catch(() => {});
    }
  }
  try {
    await pipeline(parts(), outgoing);
  } catch (error) {
    const hasLeft = (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
    logger[hasLeft ? "debug" : "error"]({ err: error }, "an answer broke off");
  }
}
