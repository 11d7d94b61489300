import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Answering } from "./ask-questions.ts";

/** Opens the process's terminal for questions. What is typed to a secret one is not shown. */
export function openTerminal(): Answering & { close(): void } {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isHidden) done();
      else process.stdout.write(chunk, () => done());
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // Ctrl-C and the end of the input leave nothing half done: nothing is written before the last answer.
  const ended = new AbortController();
  lines.on("SIGINT", () => ended.abort());
  lines.on("close", () => ended.abort());
  return {
    async ask(question, isSecret) {
      if (!isSecret) return await lines.question(question, { signal: ended.signal });
      process.stdout.write(question);
      isHidden = true;
      try {
        return await lines.question("", { signal: ended.signal });
      } finally {
        isHidden = false;
        process.stdout.write("\n");
      }
    },
    tell: (line) => console.log(line),
    close: () => lines.close(),
  };
}
