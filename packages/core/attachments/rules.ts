/** What may be uploaded as an attachment (M4), for the page, its script and the server. */
export const attachmentLimits = { minBytes: 1, maxBytes: 20 * 1024 * 1024 } as const;

export const attachmentExtensions = ["jpeg", "jpg", "png", "bmp", "gif", "pdf"] as const;

export type AttachmentType = "image/jpeg" | "image/png" | "image/bmp" | "image/gif" | "application/pdf";

/** The value of the file field's accept attribute. */
export const attachmentAccept = attachmentExtensions.map((extension) => `.${extension}`).join(",");

/** Returns the type of a name's extension in upper or lower case; null if it is not allowed. */
export function typeByName(name: string): AttachmentType | null {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (extension === "jpg") return "image/jpeg";
  if (extension === "pdf") return "application/pdf";
  return (attachmentExtensions as readonly string[]).includes(extension)
    ? (`image/${extension}` as AttachmentType)
    : null;
}

/**
 * Returns the member's name of a file as it is stored and shown: without folders and invisible characters, at most
 * 200 characters.
 */
export function cleanFileName(sent: string): string {
  const base = sent.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const shown = base
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  const whole = [...shown];
  if (whole.length <= 200) return shown || "attachment";
  // Keep the end, which has the extension.
  return [...whole.slice(0, 180), "…", ...whole.slice(-19)].join("");
}

/** Why an upload was refused; uploadProblems has the words. */
export type UploadProblem =
  | "missing"
  | "several"
  | "too-large"
  | "too-small"
  | "invalid-type"
  | "not-what-it-says"
  | "unreadable"
  | "too-many-pixels"
  | "old-bitmap"
  | "pdf-locked"
  | "pdf-active"
  | "pdf-too-long"
  | "pdf-too-complex"
  | "too-many-tries"
  | "too-many-at-once"
  | "broken-off"
  | "busy";

export interface ProblemWords {
  /** The specification's messages word for word, where it has one (M4). */
  title: string;
  advice: string;
  /** HTTP status of the refusal. */
  status: number;
}

export const uploadProblems: Record<UploadProblem, ProblemWords> = {
  missing: { title: "Choose a file", advice: "Pick one photo or PDF of your proof, then send it.", status: 400 },
  several: {
    title: "Send one file",
    advice: "Only one file can be sent. Choose the one that shows everything.",
    status: 400,
  },
  "too-large": {
    title: "File is too large",
    advice: "The largest we take is 20 MB. Take the photo at a lower quality, or save only the page that matters.",
    status: 413,
  },
  "too-small": { title: "File is too small", advice: "The file is empty. Choose it again.", status: 400 },
  "invalid-type": {
    title: "File is of invalid type",
    advice: "We take JPEG, PNG, BMP and GIF pictures and PDF documents.",
    status: 415,
  },
  "not-what-it-says": {
    title: "File is of invalid type",
    advice: "What is in the file is not what its name says. Send the original photo or PDF, not a renamed file.",
    status: 415,
  },
  unreadable: {
    title: "We could not read this file",
    advice: "It may be damaged. Take the photo again, or save the document again, and send that.",
    status: 422,
  },
  "too-many-pixels": {
    title: "The picture is too big",
    advice: "It has more than 64 million pixels. Take it at an ordinary quality, or send a screenshot of it.",
    status: 422,
  },
  "old-bitmap": {
    title: "We can’t read this kind of BMP",
    advice: "It is a compressed or unusual bitmap. Open it, save it as PNG or JPEG, and send that.",
    status: 422,
  },
  "pdf-locked": {
    title: "The PDF is locked",
    advice: "It has a password or limits on use. Print it to a new PDF, or send a photo of it.",
    status: 422,
  },
  "pdf-active": {
    title: "The PDF holds more than pages",
    advice: "It has scripts, attached files or the like in it. Print it to a new PDF, or send a photo of it.",
    status: 422,
  },
  "pdf-too-long": {
    title: "The PDF is too long",
    advice: "We take up to 20 pages. Save only the page that matters.",
    status: 422,
  },
  "pdf-too-complex": {
    title: "The PDF is too complex",
    advice: "There is far more in it than a few pages need. Print it to a new PDF, or send a photo of it.",
    status: 422,
  },
  "too-many-tries": {
    title: "Too many uploads",
    advice: "Please wait an hour, then try again. Write to us if a file is refused again and again.",
    status: 429,
  },
  "too-many-at-once": {
    title: "Two files of yours are on their way",
    advice: "We take two at a time. Wait until they have arrived, then send this one again.",
    status: 429,
  },
  "broken-off": { title: "The upload broke off", advice: "Check your connection and send it again.", status: 400 },
  busy: { title: "We are busy just now", advice: "Nothing was saved. Try again in a minute.", status: 503 },
};

export const MAX_PIXELS = 64_000_000;
export const MAX_PDF_PAGES = 20;

/** A file that was decoded and written anew; it is in a private folder until it is discarded. */
export interface ReceivedFile {
  originalName: string;
  mediaType: "image/jpeg" | "application/pdf";
  size: number;
  /** Of the rewritten file. */
  sha256: Buffer;
  parts(): AsyncIterable<Uint8Array>;
}

export type ReceivedUpload =
  | { outcome: "received"; file: ReceivedFile; fields: Record<string, string>; discard(): Promise<void> }
  | { outcome: "refused"; problem: UploadProblem };
