import type { SentAttachment } from "./send-attachment.ts";

const brokenOff = { title: "The upload broke off", advice: "Check your connection and send it again." };

/** Posts a file to an address and reports progress, which XMLHttpRequest can and fetch cannot. */
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
  const answer = new Promise<SentAttachment>((resolve) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.upload.onload = onWhole;
    request.onload = () => resolve(readAnswer(request.response));
    request.onerror = () => resolve(brokenOff);
    request.onabort = () => resolve(brokenOff);
  });
  request.open("POST", to);
  request.responseType = "json";
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
  request.send(form);
  return { answer, abort: () => request.abort() };
}

function readAnswer(body: unknown): SentAttachment {
  const said = (body ?? {}) as Record<string, unknown>;
  if (typeof said["next"] === "string") return { next: said["next"] };
  if (typeof said["title"] !== "string") return brokenOff;
  return { title: said["title"], advice: typeof said["advice"] === "string" ? said["advice"] : brokenOff.advice };
}
