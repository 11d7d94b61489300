import { write, writeSync } from "node:fs";

/** The destination of pino's lines. */
export interface LogOutput {
  write(line: string): void;
  /** Writes the buffer now; what can't be written is lost. pino calls it after a fatal line. */
  flushSync(): void;
}

export interface LogOutputOptions {
  /** Standard output by default. */
  fd?: number;
  /** Lines are buffered until they have this many characters, or `everyMs` has passed; 0 writes each at once. */
  gather: number;
  everyMs?: number;
}

/** Maximum size of the buffer, in characters, while the output is blocked; further lines are dropped. */
const MAX_WAITING = 16 * 1024 * 1024;
const BUSY_MS = 20;
/** A slow reader of a pipe gets a second before the rest is lost. */
const MAX_BUSY_TRIES = 50;

/**
 * Writes lines to a file descriptor and survives its errors: a full disk costs lines, never the process, and the next
 * flush retries. pino's own destination ends the process at such an error, or waits forever in its last flush.
 */
export function openLogOutput({ fd = 1, gather, everyMs = 1_000 }: LogOutputOptions): LogOutput {
  let waiting: string[] = [];
  let length = 0;
  /** Bytes that are being written, or could not be. */
  let inHand = Buffer.alloc(0);
  let isWriting = false;

  function take(): Buffer<ArrayBuffer> {
    const taken = Buffer.from(waiting.join(""));
    waiting = [];
    length = 0;
    return taken;
  }

  function flush(): void {
    if (isWriting) return;
    if (inHand.length === 0) inHand = take();
    if (inHand.length > 0) writeOn();
  }

  function writeOn(): void {
    isWriting = true;
    write(fd, inHand, (error, written) => {
      if (error?.code === "EAGAIN") return void setTimeout(writeOn, BUSY_MS);
      isWriting = false;
      if (error) return; // the next flush retries
      inHand = inHand.subarray(written);
      if (inHand.length > 0 || length >= gather) flush();
    });
  }

  function flushSync(): void {
    // The system already has the write in progress.
    let rest = isWriting ? take() : Buffer.concat([inHand, take()]);
    if (!isWriting) inHand = Buffer.alloc(0);
    for (let tries = 0; rest.length > 0 && tries < MAX_BUSY_TRIES;) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  }

  if (gather > 0) {
    setInterval(flush, everyMs).unref();
    process.on("exit", flushSync);
  }
  return {
    write(line) {
      if (length > MAX_WAITING) return;
      waiting.push(line);
      length += line.length;
      if (gather === 0) flushSync();
      else if (length >= gather) flush();
    },
    flushSync,
  };
}
