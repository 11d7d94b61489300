import { ERROR_MARK } from "@farthing/core/forms/rules.ts";
import type { Ref } from "react";
import type { FormError } from "./form-error.ts";
import { uncover } from "./invalid-controls.ts";

/** The list of a form's errors. Screen readers announce it at once, and each entry links to its field. */
export function ErrorSummary({ errors, ref }: { errors: FormError[]; ref?: Ref<HTMLDivElement> }) {
  const [first] = errors;
  if (!first) return null;
  // Fields' ids are unique on a page; useId's are not, where several parts of it hydrate by themselves.
  const title = `${first.id ?? first.name}-summary`;
  return (
    <div ref={ref} className="error-summary notice is-bad" role="alert" tabIndex={-1} aria-labelledby={title}>
      <p id={title} className="notice-title">
        {errors.length === 1 ? "One thing needs your attention" : `${errors.length} things need your attention`}
      </p>
      <ul>
        {errors.map(({ name, label, message, id = name }) => (
          <li key={name}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                const field = document.getElementById(id);
                if (!field) return;
                event.preventDefault();
                uncover(field);
                field.focus({ preventScroll: true });
                field.scrollIntoView({ block: "center" });
              }}
            >
              {label}
            </a>
            {`${message.startsWith(ERROR_MARK) ? " " : ": "}${message}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
