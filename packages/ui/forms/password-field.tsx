import {
  confirmationFault,
  containsEmail,
  isCommonPassword,
  passwordFaults,
  passwordHasEmail,
  passwordIsCommon,
  passwordProblem,
  passwordRule,
} from "@farthing/core/members/rules.ts";
import { useEffect, useRef, useState } from "react";
import { useFieldError } from "./field-errors.ts";
import { fieldDescription, FieldFrame } from "./field-frame.tsx";
import { useOwnCheck, valueBeside } from "./use-own-check.ts";

export interface PasswordFieldProps {
  name: string;
  label: string;
  id?: string;
  autoComplete: "current-password" | "new-password";
  /** Whether the rule for new passwords (M3) is shown below the label, whose colour shows whether it is met. */
  showsRule?: boolean;
  /** The name of the field whose password this one must repeat. */
  repeats?: string;
  /** Leaked passwords in lower case, which are refused; "on-its-way" while the list loads: until then no password is marked as good. */
  common?: ReadonlySet<string> | "on-its-way" | undefined;
  /** Called when the person focuses the field, or a password manager fills it. */
  onUse?: () => void;
  /** The name of the field with the e-mail address that the password must not contain. */
  emailField?: string;
  required?: boolean;
  help?: string;
  error?: string | undefined;
}

/** A password field with a button that shows and hides the password (M3). Without script there is no button. Pasting is never blocked (Y2). */
export function PasswordField({
  name,
  label,
  id = name,
  autoComplete,
  showsRule = false,
  repeats,
  common,
  onUse,
  emailField,
  required = true,
  help = showsRule && repeats === undefined ? passwordRule : undefined,
  error: ownError,
}: PasswordFieldProps) {
  const error = useFieldError(name, ownError);
  const [isShown, setShown] = useState(false);
  const [verdict, setVerdict] = useState<"good" | "bad">();
  const [note, setNote] = useState("");
  const input = useRef<HTMLInputElement>(null);

  const problemOf = (control: HTMLInputElement | HTMLSelectElement) => {
    if (repeats !== undefined) return confirmationFault(control.value, valueBeside(control, repeats)) ?? "";
    if (!showsRule) return "";
    const problem = passwordProblem(passwordFaults(control.value));
    const email = emailField === undefined ? "" : valueBeside(control, emailField);
    if (problem === "" && containsEmail(control.value, email)) return passwordHasEmail;
    const isCommon = problem === "" && common instanceof Set && isCommonPassword(control.value, common);
    return isCommon ? passwordIsCommon : problem;
  };
  useOwnCheck(input, (control) => {
    const problem = control.value === "" ? "" : problemOf(control);
    if (showsRule) setVerdict(verdictOn(control.value, problem, common === "on-its-way"));
    // The rule is shown below the label. Problems beyond it are announced while the person types.
    setNote(problem === passwordHasEmail || problem === passwordIsCommon ? problem : "");
    return problem;
  });
  // Browsers would remember a password that is submitted as visible text, and suggest it later.
  useEffect(() => {
    const form = input.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);

  return (
    <FieldFrame id={id} label={label} isRequired={required} help={help} error={error} verdict={verdict}>
      <div className="field-with-button">
        <input
          ref={input}
          id={id}
          name={name}
          type={isShown ? "text" : "password"}
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required={required}
          maxLength={128}
          data-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={fieldDescription(id, { help, error })}
          onFocus={onUse}
          onInput={onUse}
        />
        <button
          type="button"
          className="field-button needs-script"
          aria-pressed={isShown}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : "Show"}
          <span className="visually-hidden"> what I type</span>
        </button>
      </div>
      {showsRule && repeats === undefined && (
        <p role="status" className={note && !error ? "field-note" : "visually-hidden"}>
          {!error && note}
        </p>
      )}
    </FieldFrame>
  );
}

/** Returns the label's verdict on a password: undefined for an empty one, and not "good" before every check has run. */
function verdictOn(password: string, problem: string, isUnsure: boolean): "good" | "bad" | undefined {
  if (password === "") return undefined;
  if (problem !== "") return "bad";
  return isUnsure ? undefined : "good";
}
