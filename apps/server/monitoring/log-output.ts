import { write, writeSync } from "node:fs";

/** Where pino writes its lines. */
export interface LogOutput {
  write(line: string): void;
  /** Writes out what is waiting, now; what can't be written is lost. pino calls it after a fatal line. */
  flushSync(): void;
}

export interface LogOutputOptions {
  /** Standard output, if nothing else is said. */
  fd?: number;
  /** Lines are gathered until they are so many characters, or a second has passed; 0 writes each at once. */
  gather: number;
  everyMs?: number;
}

/** Characters that wait while the output takes none; what comes after is dropped. */
const maxWaiting = 16 * 1024 * 1024;
const busyMs = 20;
/** A pipe whose reader is slow gets a second before what is left is lost. */
const maxBusyTries = 50;

/**
 * Writes lines to a file descriptor, and survives what happens to it: a full disk costs lines, never the process, and the next flush tries again. pino's
 * own destination ends the process at such an error, or waits for ever where it flushes at the end.
 */
export function openLogOutput({ fd = 1, gather, everyMs = 1_000 }: LogOutputOptions): LogOutput {
  let waiting: string[] = [];
  let length = 0;
  /** What is being written, or could not be. */
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
      if (error?.code === "EAGAIN") return void setTimeout(writeOn, busyMs);
      isWriting = false;
      if (error) return; // the next flush tries again
      inHand = inHand.subarray(written);
      if (inHand.length > 0 || length >= gather) flush();
    });
  }

  function flushSync(): void {
    // What is under way is the system's already.
    let rest = isWriting ? take() : Buffer.concat([inHand, take()]);
    if (!isWriting) inHand = Buffer.alloc(0);
    for (let tries = 0; rest.length > 0 && tries < maxBusyTries;) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
      }
    }
  }

  if (gather > 0) {
    setInterval(flush, everyMs).unref();
    process.on("exit", flushSync);
  }
  return {
    write(line) {
      if (length > maxWaiting) return;
      waiting.push(line);
      length += line.length;
      if (gather === 0) flushSync();
      else if (length >= gather) flush();
    },
    flushSync,
  };
}
