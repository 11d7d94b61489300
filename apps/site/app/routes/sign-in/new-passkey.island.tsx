import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { useEffect, useState } from "react";
import { island } from "../../islands/island.tsx";
import { hasPasskeys, makePasskey } from "./webauthn.ts";

/**
 * A name and a button: the browser creates the passkey, the server checks it. Without script or passkeys in the
 * browser, it says so.
 */
function NewPasskey({ question, action }: { question: { optionsJson: string; challenge: string }; action: string }) {
  const [can, setCan] = useState<boolean>();
  const [problem, setProblem] = useState("");
  useEffect(() => setCan(hasPasskeys()), []);

  async function add(form: HTMLFormElement) {
    setProblem("");
    try {
      const answer = await makePasskey(question.optionsJson);
      const field = form.elements.namedItem("answer");
      if (field instanceof HTMLInputElement) field.value = answer;
      form.submit();
    } catch (error) {
      const isThere = error instanceof DOMException && error.name === "InvalidStateError";
      setProblem(
        isThere ? "This device has a passkey for your account already." : "No passkey was made. You can try again.",
      );
    }
  }

  if (can !== true) {
    return (
      <p className="soft">
        {can === false
          ? "This browser does not know passkeys. A newer one does."
          : "Passkeys need a browser with script turned on."}
      </p>
    );
  }
  return (
    <CheckedForm
      action={action}
      className="security-form"
      onSend={(event) => {
        event.preventDefault();
        void add(event.currentTarget);
      }}
    >
      <input type="hidden" name="intent" value="add" />
      <input type="hidden" name="challenge" value={question.challenge} />
      <input type="hidden" name="answer" defaultValue="" />
      <TextField
        name="name"
        label="Name"
        autoComplete="off"
        required
        maxLength={60}
        help="So that you know it again: “My phone”, “Work laptop”."
      />
      <button type="submit" className="button">
        Add a passkey
      </button>
      <p role="alert" className="field-error">
        {problem}
      </p>
    </CheckedForm>
  );
}

export default island("new-passkey", NewPasskey);
