import type { UploadProblem } from "@farthing/core/attachments/rules.ts";

/** Thrown for a file that is not accepted; `problem` says why. */
export class RefusedFileError extends Error {
  override readonly name = "RefusedFileError";
  readonly problem: UploadProblem;

  constructor(problem: UploadProblem, cause?: unknown) {
    super(`The file is refused: ${problem}`, { cause });
    this.problem = problem;
  }
}
