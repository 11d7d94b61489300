import type { IncomingMessage } from "node:http";
import { MAX_CHUNKS } from "./limit-body.ts";

/** Thrown where the sender leaves before the end of what it sends: there is nobody to answer. */
export class SenderLeftError extends Error {
  constructor() {
    super("The sender left before the end of the body.");
    this.name = "SenderLeftError";
  }
}

/**
 * Returns the body of a request of node:http, or null if it is larger than `maxBytes`: the same limits as `limitBody`. Then the rest of it is not read.
 * @throws SenderLeftError
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const length = request.headers["content-length"];
  // Node's parser holds a sender to the length it announced.
  if (length !== undefined && Number(length) > maxBytes) return Promise.resolve(null);
  // It may have left while its brand was looked up: no event would come any more.
  if (request.destroyed) return Promise.reject(new SenderLeftError());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = () => {
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes && chunks.length < MAX_CHUNKS) return void chunks.push(chunk);
      settle();
      request.pause();
      resolve(null);
    };
    const onEnd = () => {
      settle();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    };
    const onClose = () => {
      settle();
      reject(new SenderLeftError());
    };
    request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
}

/** How long, and how much, an answered sender may go on sending before its connection is closed. */
const DISCARDED = { ms: 500, bytes: 64 * 1024 * 1024 };

/**
 * Reads what a sender goes on sending after its answer, and drops it: closed at once, the connection would be reset and the answer lost on its way. Resolves
 * with whether the request came to its end.
 */
export function discardRest(request: IncomingMessage): Promise<boolean> {
  if (request.destroyed || request.readableEnded) return Promise.resolve(request.readableEnded);
  return new Promise((resolve) => {
    let size = 0;
    const settle = (isWhole: boolean) => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onClose);
      resolve(isWhole);
    };
    const onData = (chunk: Buffer) => void ((size += chunk.length) > DISCARDED.bytes && settle(false));
    const onEnd = () => settle(true);
    const onClose = () => settle(false);
    const timer = setTimeout(onClose, DISCARDED.ms);
    request.on("data", onData).on("end", onEnd).on("close", onClose).resume();
  });
}
