import { use } from "react";
import { looks, ShellContext, type Look } from "../shell-context.ts";

const words: Record<Look, string> = { auto: "As the system", light: "Light", dark: "Dark" };

/** Chooses light or dark for this browser. */
export function LookSwitch() {
  const { look: chosen, path } = use(ShellContext);
  return (
    <form method="post" action="/admin/look" className="look-switch" aria-label="Colours">
      <input type="hidden" name="back" value={path} />
      {looks.map((look) => (
        <button key={look} className="button is-quiet" name="look" value={look} aria-pressed={look === chosen}>
          {words[look]}
        </button>
      ))}
    </form>
  );
}
