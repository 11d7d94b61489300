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

/** A pipe keeps a write of up to this many bytes together (PIPE_BUF on Linux), whoever else writes to it meanwhile. */
const MAX_PIECE_BYTES = 4_096;

/**
 * Writes lines to a file descriptor and survives its errors: a full disk costs lines, never the process, and the next
 * flush retries. pino's own destination ends the process at such an error, or waits forever in its last flush.
 *
 * Lines are written in pieces that a pipe keeps together, because the last flush can't wait for the write in progress:
 * two writes at the same time would mix their lines.
 */
export function openLogOutput({ fd = 1, gather, everyMs = 1_000 }: LogOutputOptions): LogOutput {
  let waiting: string[] = [];
  let length = 0;
  /** The pieces that are still to be written, the first of which may be in progress or have failed. */
  let pieces: Buffer[] = [];
  let isWriting = false;

  function takeWaiting(): void {
    pieces.push(...piecesOf(waiting));
    waiting = [];
    length = 0;
  }

  function flush(): void {
    if (isWriting) return;
    if (pieces.length === 0) takeWaiting();
    if (pieces.length > 0) writeOn();
  }

  function writeOn(): void {
    const piece = pieces[0]!;
    isWriting = true;
    write(fd, piece, (error, written) => {
      if (error?.code === "EAGAIN") return void setTimeout(writeOn, BUSY_MS);
      isWriting = false;
      if (error) return; // the next flush retries
      if (written < piece.length) pieces[0] = piece.subarray(written);
      else pieces.shift();
      if (pieces.length > 0 || length >= gather) flush();
    });
  }

  function flushSync(): void {
    takeWaiting();
    // The system already has the write in progress.
    const rest = pieces.splice(isWriting ? 1 : 0);
    for (const piece of rest) if (!writeWhole(fd, piece)) return;
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

/** Joins lines into pieces of at most MAX_PIECE_BYTES; a longer line is a piece of its own. */
function piecesOf(lines: readonly string[]): Buffer[] {
  const pieces: Buffer[] = [];
  let joined: Buffer[] = [];
  let bytes = 0;
  for (const line of lines.map((text) => Buffer.from(text))) {
    if (bytes > 0 && bytes + line.length > MAX_PIECE_BYTES) {
      pieces.push(Buffer.concat(joined));
      joined = [];
      bytes = 0;
    }
    joined.push(line);
    bytes += line.length;
  }
  if (bytes > 0) pieces.push(Buffer.concat(joined));
  return pieces;
}

/** Returns whether the piece was written, within MAX_BUSY_TRIES. */
function writeWhole(fd: number, piece: Buffer): boolean {
  let rest = piece;
  for (let tries = 0; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || tries === MAX_BUSY_TRIES) return false;
      tries += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
    }
  }
  return true;
}
