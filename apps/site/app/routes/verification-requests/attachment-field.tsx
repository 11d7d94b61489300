import { attachmentAccept, uploadProblems } from "@farthing/core/attachments/rules.ts";
import { ErrorMark } from "@farthing/ui/forms/field-frame.tsx";
import { useLazyModule } from "@farthing/ui/use-lazy-module.ts";
import { useEffect, useRef, useState } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";
import type { PictureHint } from "./picture-hints.ts";
import type { PondHandle } from "./pond.ts";

const loadPond = () => import("./pond.ts");

/**
 * The file field. It is the browser's own until FilePond is loaded, and stays so if FilePond cannot be loaded. Only the
 * check before sending and the progress are then missing.
 */
export function AttachmentField({
  hasProblem,
  onReady,
  onProblem,
  onFile,
}: {
  hasProblem: boolean;
  onReady: (handle: PondHandle | null) => void;
  onProblem: (problem: { title: string; advice: string }) => void;
  onFile: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [hints, setHints] = useState<PictureHint[]>([]);
  const { module } = useLazyModule(lazyChunks.attachmentPond, loadPond);

  useEffect(() => {
    if (!module || !input.current) return;
    const handle = module.openPond(input.current, {
      onRefused: (problem) => onProblem(uploadProblems[problem]),
      onFile,
      onHints: setHints,
    });
    onReady(handle);
    return () => {
      onReady(null);
      handle.close();
    };
  }, [module, onReady, onProblem, onFile]);

  return (
    <div className={hasProblem ? "field upload-field has-error" : "field upload-field"}>
      <label id="attachment-label" htmlFor="attachment">
        Your photo or PDF
        {hasProblem && <ErrorMark />}
      </label>
      <p id="attachment-help" className="field-help">
        One file: JPEG, PNG, BMP, GIF or PDF, up to 20 MB. Lay it flat in good light, with all four corners in the
        picture. Nothing is sent until you press “Send for checking”.
      </p>
      <div className="upload-drop">
        <input
          ref={input}
          type="file"
          id="attachment"
          name="attachment"
          accept={attachmentAccept}
          required
          aria-invalid={hasProblem || undefined}
          aria-describedby={hasProblem ? "attachment-help attachment-error" : "attachment-help"}
        />
      </div>
      <div role="status">
        {hints.map(({ title, advice }) => (
          <p key={title} className="upload-hint">
            <b>{title}</b> {advice}
          </p>
        ))}
      </div>
    </div>
  );
}
