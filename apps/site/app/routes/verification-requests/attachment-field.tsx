import { attachmentAccept, uploadProblems } from "@farthing/core/attachments/rules.ts";
import { FileField } from "@farthing/ui/forms/file-field.tsx";
import { useLazyModule } from "@farthing/ui/loading/use-lazy-module.ts";
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
  to,
  help,
  hasProblem,
  onReady,
  onProblem,
  onFile,
}: {
  /** Where the script sends the file. */
  to: string;
  help: string;
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
      to,
      onRefused: (problem) => onProblem(uploadProblems[problem]),
      onFile,
      onHints: setHints,
    });
    onReady(handle);
    return () => {
      onReady(null);
      handle.close();
    };
  }, [module, to, onReady, onProblem, onFile]);

  return (
    <FileField
      ref={input}
      name="attachment"
      labelId="attachment-label"
      label="Your photo or PDF"
      accept={attachmentAccept}
      required
      hasErrorElsewhere={hasProblem}
      className="field upload-field"
      dropClassName="upload-drop"
      help={help}
    >
      <div role="status">
        {hints.map(({ title, advice }) => (
          <p key={title} className="upload-hint">
            <b>{title}</b> {advice}
          </p>
        ))}
      </div>
    </FileField>
  );
}
