import { useId } from "react";
import { Paragraphs } from "./paragraphs.tsx";

/**
 * Text with Read more and Read less where it is taller than 43 px (D4): collapsible-text.behaviour.ts. Without script
 * all of it is shown.
 */
export function CollapsibleText({ text }: { text: string }) {
  const id = useId();
  return (
    <div className="collapsible-text">
      <div id={id} className="collapsible-text-body prose">
        <Paragraphs text={text} />
      </div>
      <button type="button" className="link-button needs-script" aria-expanded={false} aria-controls={id}>
        Read more
      </button>
    </div>
  );
}
