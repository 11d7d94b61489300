// Everything of FilePond, in a chunk that only this page loads, after it is shown.
import {
  attachmentAccept,
  attachmentLimits,
  type UploadProblem,
  uploadProblems,
} from "@farthing/core/attachments/rules.ts";
import { create, FileStatus, registerPlugin, type FilePondErrorDescription, type FilePondFile } from "filepond";
import validateSize from "filepond-plugin-file-validate-size";
import validateType from "filepond-plugin-file-validate-type";
import { measurePicture } from "./measure-picture.ts";
import { type PictureHint, pictureHints } from "./picture-hints.ts";
import { brokenOff, postAttachment, stopped } from "./post-attachment.ts";
import "./pond.css";
import type { SentAttachment } from "./send-attachment.ts";

registerPlugin(validateSize, validateType);

/** FilePond's messages about size. */
const sizeProblems = new Map<string, UploadProblem>([
  ["File is too large", "too-large"],
  ["File is too small", "too-small"],
]);

export interface PondHandle {
  /** Whether a file is chosen that has not been refused. */
  hasFile(): boolean;
  /** Why there is none: `missing`, or the problem of what was chosen last. */
  problem(): UploadProblem;
  /**
   * Sends the file with the form's other fields, once FilePond has taken it up. `onWhole` is called when all of it has been sent. A file
   * that is refused meanwhile is not sent: the answer is its problem.
   */
  send(fields: Record<string, string>, options: { onWhole(): void }): Promise<SentAttachment>;
  close(): void;
}

/** Options that FilePond has and its types lack: they turn off artificial delays. */
const untyped = { allowMinimumUploadDuration: false } as object;

interface PondOptions {
  /** Where the file is sent. */
  to: string;
  onRefused(problem: UploadProblem): void;
  onFile(): void;
  onHints(hints: PictureHint[]): void;
}

/** Turns a file field into FilePond's, with the rules and messages of the specification (Y3). */
export function openPond(input: HTMLInputElement, { to, onRefused, onFile, onHints }: PondOptions): PondHandle {
  const describedBy = input.getAttribute("aria-describedby") ?? "";
  let fields: Record<string, string> = {};
  let onWhole = () => {};
  let sentId = "";
  let onAnswer: (answer: SentAttachment) => void = () => {};
  /** Whether a file is chosen that FilePond does not know of: it waits for a quarter of a second. */
  let isChosen = false;
  let refused: UploadProblem = "missing";
  let onTaken = () => {};

  const pond = create(input, {
    allowMultiple: false,
    maxFiles: 1,
    instantUpload: false,
    allowProcess: true, // for the button that stops an upload; the one that sends is the form's own (pond.css)
    allowRevert: false,
    allowReplace: true,
    credits: false,
    ...untyped,
    dropValidation: false,
    ignoredFiles: [], // refused with a message, as other types are
    minFileSize: String(attachmentLimits.minBytes),
    maxFileSize: String(attachmentLimits.maxBytes),
    fileSizeBase: 1024,
    labelMaxFileSize: "The largest we take is 20 MB",
    labelMinFileSize: "The file is empty",
    // The extension decides, in any case, not the type that the system reports. FilePond prefers this to the field's
    // accept attribute.
    acceptedFileTypes: attachmentAccept.split(","),
    fileValidateTypeDetectType: (source) => Promise.resolve(extensionOf(source)),
    labelFileTypeNotAllowed: "File is of invalid type",
    fileValidateTypeLabelExpectedTypes: "We take JPEG, PNG, BMP, GIF and PDF",
    labelMaxFileSizeExceeded: "File is too large",
    labelMinFileSizeExceeded: "File is too small",
    // Nobody drags with a finger, and a phone offers its camera.
    labelIdle: matchMedia("(pointer: coarse)").matches
      ? '<span class="filepond--label-action">Take a photo or choose a file</span>'
      : 'Drag your file here, or <span class="filepond--label-action">choose it</span>',
    labelFileSizeKilobytes: "kB",
    labelFileProcessing: "Sending",
    labelFileProcessingComplete: "Sent",
    labelFileProcessingError: "Not sent",
    labelFileProcessingAborted: "Stopped",
    labelTapToCancel: "press to stop",
    labelButtonAbortItemProcessing: "Stop sending",
    labelTapToRetry: "send it again below",
    server: {
      process: (_name, file, _metadata, load, error, progress, abort) => {
        const post = postAttachment(file as File, fields, to, {
          onProgress: (sent, all) => progress(true, sent, all),
          onWhole: () => onWhole(),
        });
        void post.answer.then((said) => {
          onAnswer(said);
          if ("next" in said) load("sent");
          else if (said === stopped) abort();
          else error(said.title);
        });
        return { abort: post.abort };
      },
    },
    onaddfilestart: () => {
      isChosen = false;
      refused = "missing";
    },
    onaddfile: (error, item) => {
      if (error) refuse(error, item);
      else accept(item);
      onTaken();
    },
    // FilePond warns of one thing: several files were dropped at once. It takes none of them.
    onwarning: () => {
      refused = "several";
      onRefused(refused);
    },
    onprocessfileabort: () => onAnswer(stopped),
    onremovefile: (_error, { id }) => {
      onHints([]);
      // One of another type was not taken away by the member.
      if (refused !== "invalid-type") refused = "missing";
      onTaken();
      if (id === sentId) onAnswer(stopped);
    },
  });
  pond.element?.addEventListener("change", ({ target }) => {
    isChosen = target instanceof HTMLInputElement && target.value !== "";
  });
  keepField(pond.element, describedBy);

  const hasStatus = (...statuses: FileStatus[]) => pond.getFiles().some(({ status }) => statuses.includes(status));
  const isTaken = () => !isChosen && !hasStatus(FileStatus.INIT, FileStatus.LOADING);

  /** Resolves when FilePond has taken up or refused what was chosen. It never answers for a file that it is still loading. */
  function taken(): Promise<void> {
    if (isTaken()) return Promise.resolve();
    return new Promise((resolve) => {
      onTaken = () => {
        if (isTaken()) resolve();
      };
    });
  }

  function accept(item: FilePondFile) {
    onFile();
    void measurePicture(item.file).then((measured) => onHints(measured ? pictureHints(measured) : []));
  }

  function refuse(error: FilePondErrorDescription, item: FilePondFile) {
    const { main = "" } = error as { main?: string };
    onHints([]);
    refused = sizeProblems.get(main) ?? "invalid-type";
    onRefused(refused);
    // Files of other types are removed (Y3). The message stays.
    if (refused === "invalid-type") setTimeout(() => pond.removeFile(item.id));
  }

  // A file whose upload broke off is there still: the next press sends it again.
  const hasFile = () => isChosen || pond.getFiles().some(({ status }) => status !== FileStatus.LOAD_ERROR);

  return {
    hasFile,
    problem: () => refused,
    async send(sent, options) {
      await taken();
      if (!hasFile()) return uploadProblems[refused];
      fields = sent;
      onWhole = options.onWhole;
      sentId = pond.getFile().id;
      // FilePond's own promise stays open when the upload is stopped, or another file is chosen meanwhile.
      return new Promise((resolve) => {
        onAnswer = resolve;
        void pond.processFile().catch(() => resolve(brokenOff));
      });
    },
    close: () => pond.destroy(),
  };
}

function extensionOf(source: unknown): string {
  return source instanceof File ? (/\.[^.]+$/.exec(source.name)?.[0].toLowerCase() ?? "") : "";
}

/** Keeps FilePond's field the one that the page's label, help and links refer to. */
function keepField(root: Element | null | undefined, describedBy: string, frames = 60): void {
  const field = root?.querySelector<HTMLInputElement>(".filepond--browser");
  const label = root?.querySelector<HTMLLabelElement>(".filepond--drop-label label");
  if (!root || !field || !label) {
    // FilePond draws itself over the next few frames.
    if (frames > 0) requestAnimationFrame(() => keepField(root, describedBy, frames - 1));
    return;
  }
  root.removeAttribute("id");
  field.id = "attachment";
  label.htmlFor = "attachment";
  field.setAttribute("aria-labelledby", `attachment-label ${label.id}`);
  field.setAttribute("aria-describedby", describedBy);
}
