import { useState } from "react";

/** A password with a button that shows and hides it (seed section 4). Without script the field alone is there; paste is never blocked (Y2). */
export function PasswordField(props: {
  id: string;
  name: string;
  label: string;
  autoComplete: "current-password" | "new-password";
  errorId?: string | undefined;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="field">
      <label htmlFor={props.id}>{props.label}</label>
      <div className="field-with-button">
        <input
          id={props.id}
          name={props.name}
          type={isShown ? "text" : "password"}
          autoComplete={props.autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          maxLength={128}
          aria-invalid={props.errorId ? true : undefined}
          aria-describedby={props.errorId}
        />
        <button
          type="button"
          className="field-button needs-script"
          aria-pressed={isShown}
          aria-controls={props.id}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : "Show"}
          <span className="visually-hidden"> what I type</span>
        </button>
      </div>
    </div>
  );
}
