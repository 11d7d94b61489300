import { uploadProblems } from "@farthing/core/attachments/rules.ts";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { AttachmentField } from "./attachment-field.tsx";
import type { PondHandle } from "./pond.ts";

interface Problem {
  title: string;
  advice: string;
}

/**
 * The form for a file: proof of membership, or a claim's evidence. It is a plain multipart form. With script, FilePond checks the file before it
 * is sent, and shows progress. The server's checks decide (Y3).
 */
function UploadForm({
  action,
  to,
  help,
  button,
  problem: serverProblem,
  children,
}: {
  /** Where the form posts without script. */
  action: string;
  /** Where the script posts; it answers as send-attachment.ts does. */
  to: string;
  help: string;
  button: string;
  problem: Problem | null;
  /** The fields above the file. They stay the server's HTML. */
  children?: ReactNode;
}) {
  const [problem, setProblem] = useState<Problem | null>(serverProblem);
  const [tries, setTries] = useState(0);
  const [stage, setStage] = useState<"choosing" | "sending" | "checking">("choosing");
  const form = useRef<HTMLFormElement>(null);
  const alert = useRef<HTMLDivElement>(null);
  const pond = useRef<PondHandle | null>(null);

  useEffect(() => {
    if (problem) alert.current?.focus();
  }, [problem, tries]);

  const fail = useCallback((found: Problem) => {
    setProblem(found);
    setStage("choosing");
    // A new button, because the old one still shows that it is loading.
    setTries((count) => count + 1);
  }, []);
  const forgive = useCallback(() => setProblem(null), []);
  const ready = useCallback((handle: PondHandle | null) => {
    pond.current = handle;
    if (form.current) form.current.noValidate = handle !== null;
  }, []);

  async function submit(event: React.SubmitEvent<HTMLFormElement>) {
    const handle = pond.current;
    if (!handle) return; // the browser sends it
    event.preventDefault();
    if (stage !== "choosing") return;
    if (!handle.hasFile()) return fail(uploadProblems[handle.problem()]);
    setProblem(null);
    setStage("sending");
    const kind = new FormData(event.currentTarget).get("proof_kind");
    const sent = await handle.send(
      { proof_kind: typeof kind === "string" ? kind : "" },
      { onWhole: () => setStage("checking") },
    );
    if ("next" in sent) window.location.assign(sent.next);
    else fail(sent);
  }

  return (
    <form
      ref={form}
      method="post"
      action={action}
      encType="multipart/form-data"
      className="upload-form"
      onSubmit={(event) => void submit(event)}
    >
      {children}
      {problem && (
        <div ref={alert} tabIndex={-1} id="attachment-error">
          <Notice key={tries} tone="bad" isUrgent title={problem.title}>
            <p>{problem.advice}</p>
          </Notice>
        </div>
      )}
      <AttachmentField
        to={to}
        help={`${help} Nothing is sent until you press “${button}”.`}
        hasProblem={problem !== null}
        onReady={ready}
        onProblem={fail}
        onFile={forgive}
      />
      <LoadingButton key={tries} className="is-large" asksForPatience>
        {button}
      </LoadingButton>
      <p role="status" className={stage === "choosing" ? "visually-hidden" : "upload-stage soft"}>
        {stage === "sending" && "Sending your file."}
        {stage === "checking" && "It is here. We are looking at the file, which takes a few seconds."}
      </p>
    </form>
  );
}

export default island("upload-form", UploadForm);
