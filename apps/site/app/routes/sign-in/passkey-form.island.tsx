import { useCallback, useEffect, useRef, useState } from "react";
import { island } from "../../islands/island.tsx";
import { askPasskey, fillsPasskeys, hasPasskeys } from "./webauthn.ts";

/**
 * Signs in with a passkey: with a button and, where the browser can, from the suggestions of the e-mail field
 * (`fills`). Without script the button is hidden, and the password works.
 */
function PasskeyForm({
  question,
  action,
  next,
  fills = false,
  label = "Log in with a passkey",
}: {
  question: { optionsJson: string; challenge: string };
  action: string;
  next: string;
  fills?: boolean;
  label?: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const asking = useRef<AbortController>(null);
  const [can, setCan] = useState<boolean>();
  const [problem, setProblem] = useState("");
  const { optionsJson } = question;

  const ask = useCallback(
    async (mediation?: "conditional") => {
      asking.current?.abort(); // browsers allow one dialog at a time
      const controller = new AbortController();
      asking.current = controller;
      const { signal } = controller;
      const answer = await askPasskey(optionsJson, mediation ? { mediation, signal } : { signal });
      const field = form.current?.elements.namedItem("answer");
      if (!(field instanceof HTMLInputElement) || controller.signal.aborted) return;
      field.value = answer;
      form.current?.requestSubmit();
    },
    [optionsJson],
  );

  useEffect(() => {
    setCan(hasPasskeys());
    if (!fills) return;
    // Nobody has pressed anything, so a failure is not shown.
    void fillsPasskeys()
      .then((can) => (can ? ask("conditional") : undefined))
      .catch(() => {});
    return () => asking.current?.abort();
  }, [fills, ask]);

  // The place is reserved from the start, so that nothing below it moves while somebody taps.
  if (can === false) return null;
  return (
    <form ref={form} method="post" action={action} className="passkey-form needs-script">
      <input type="hidden" name="challenge" value={question.challenge} />
      <input type="hidden" name="answer" defaultValue="" />
      <input type="hidden" name="next" value={next} />
      <button
        type="button"
        className="button is-quiet is-wide"
        disabled={can !== true}
        onClick={() => {
          setProblem("");
          ask().catch(() => setProblem("No passkey was used. Try again, or use your password."));
        }}
      >
        {label}
      </button>
      <p role="status" className="field-error">
        {problem}
      </p>
    </form>
  );
}

export default island("passkey-form", PasskeyForm);
