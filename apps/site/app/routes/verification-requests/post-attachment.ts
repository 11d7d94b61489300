import type { SentAttachment } from "./send-attachment.ts";

export const brokenOff = { title: "The upload broke off", advice: "Check your connection and send it again." };
export const stopped = { title: "The upload was stopped", advice: "Send it again, or choose another file." };

/** A line on which nothing moves for this long is dead, though no browser says so. */
const STALL_MS = 60_000;
/** How long the server may look at the file. */
const ANSWER_MS = 120_000;

/**
 * Posts a file to an address and reports progress, which XMLHttpRequest can and fetch cannot. The answer is `brokenOff` where none comes, and
 * `stopped` after abort().
 */
export function postAttachment(
  file: File,
  fields: Record<string, string>,
  to: string,
  { onProgress, onWhole }: { onProgress(sent: number, all: number): void; onWhole(): void },
): { answer: Promise<SentAttachment>; abort(): void } {
  const request = new XMLHttpRequest();
  const form = new FormData();
  // Fields come first, because the server reads the form as it arrives.
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("attachment", file, file.name);
  let isStopped = false;
  let patience: ReturnType<typeof setTimeout>;
  const wait = (ms: number) => {
    clearTimeout(patience);
    patience = setTimeout(() => request.abort(), ms);
  };
  const answer = new Promise<SentAttachment>((resolve) => {
    request.upload.onprogress = ({ loaded, total }) => {
      wait(STALL_MS);
      onProgress(loaded, total);
    };
    request.upload.onload = () => {
      wait(ANSWER_MS);
      onWhole();
    };
    request.onloadend = () => clearTimeout(patience);
    request.onload = () => resolve(readAnswer(request.response));
    request.onerror = () => resolve(brokenOff);
    request.onabort = () => resolve(isStopped ? stopped : brokenOff);
  });
  request.open("POST", to);
  request.responseType = "json";
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
  wait(STALL_MS);
  request.send(form);
  return {
    answer,
    abort: () => {
      isStopped = true;
      request.abort();
    },
  };
}

function readAnswer(body: unknown): SentAttachment {
  const said = (body ?? {}) as Record<string, unknown>;
  if (typeof said["next"] === "string") return { next: said["next"] };
  if (typeof said["title"] !== "string") return brokenOff;
  return { title: said["title"], advice: typeof said["advice"] === "string" ? said["advice"] : brokenOff.advice };
}
