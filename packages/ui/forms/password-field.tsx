import {
  confirmationFault,
  containsEmail,
  isCommonPassword,
  passwordFaults,
  PASSWORD_HAS_EMAIL,
  PASSWORD_IS_COMMON,
  passwordProblem,
  PASSWORD_RULE,
} from "@farthing/core/sign-in/rules.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { useOwnCheck, valueBeside } from "./use-own-check.ts";

export interface PasswordFieldProps extends Pick<FieldProps, "name" | "label" | "id" | "required" | "error"> {
  autoComplete: "current-password" | "new-password";
  /** Shows the rule for new passwords (M3) below the label, and whether it is met by the label's colour. */
  showsRule?: boolean;
  /** The name of the field whose password this one repeats. */
  repeats?: string;
  /**
   * Passwords known from leaks, in lower case, which are refused. "loading" while the list is fetched: until it is
   * there no password is marked as good.
   */
  common?: ReadonlySet<string> | "loading" | undefined;
  /** Called when the field gets the focus, or when a password manager fills it. */
  onUse?: () => void;
  /** The name of the field with the e-mail address that the password must not contain. */
  emailField?: string;
  help?: string;
}

/**
 * A password with a button that shows and hides it (M3). Without script it is the field alone. Pasting is never
 * blocked (Y2).
 */
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
  help = showsRule && repeats === undefined ? PASSWORD_RULE : undefined,
  error,
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const [verdict, setVerdict] = useState<"good" | "bad">();
  const [note, setNote] = useState("");
  const input = useRef<HTMLInputElement>(null);

  const problemOf = (control: HTMLInputElement | HTMLSelectElement) => {
    if (repeats !== undefined) return confirmationFault(control.value, valueBeside(control, repeats)) ?? "";
    if (!showsRule) return "";
    const problem = passwordProblem(passwordFaults(control.value));
    const email = emailField === undefined ? "" : valueBeside(control, emailField);
    if (problem === "" && containsEmail(control.value, email)) return PASSWORD_HAS_EMAIL;
    const isCommon = problem === "" && common instanceof Set && isCommonPassword(control.value, common);
    return isCommon ? PASSWORD_IS_COMMON : problem;
  };
  useOwnCheck(input, (control) => {
    const problem = control.value === "" ? "" : problemOf(control);
    if (showsRule) setVerdict(verdictOn(control.value, problem, common === "loading"));
    // The rule itself is shown below the label. Only what goes beyond it needs words while the person types.
    setNote(problem === PASSWORD_HAS_EMAIL || problem === PASSWORD_IS_COMMON ? problem : "");
    return problem;
  });
  // Somebody may use the field before its script has loaded.
  const tellUse = useEffectEvent(() => onUse?.());
  useEffect(() => {
    if (input.current && (input.current.value !== "" || input.current === document.activeElement)) tellUse();
  }, []);
  // A password that is sent as type=text would be offered later as a text to fill in.
  useEffect(() => {
    const form = input.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);

  return (
    <Field {...{ name, label, id, required, help, error, verdict }}>
      {(control, shownError) => (
        <>
          <div className="field-with-button">
            <input
              {...control}
              ref={input}
              type={isShown ? "text" : "password"}
              autoComplete={autoComplete}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={128}
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
            <p role="status" className={note && !shownError ? "field-note" : "visually-hidden"}>
              {!shownError && note}
            </p>
          )}
        </>
      )}
    </Field>
  );
}

/** Returns the label's verdict: none for an empty field, and never "good" while a check is still loading. */
function verdictOn(password: string, problem: string, isLoading: boolean): "good" | "bad" | undefined {
  if (password === "") return undefined;
  if (problem !== "") return "bad";
  return isLoading ? undefined : "good";
}
