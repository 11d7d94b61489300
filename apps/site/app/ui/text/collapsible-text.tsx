import { useEffect, useId, useRef, useState } from "react";
import { Paragraphs } from "./paragraphs.tsx";

/** Taller text is collapsed, in pixels (D4). collapsible-text.css has the same number. */
const COLLAPSED_HEIGHT = 43;

/** Text with Read more and Read less where it is taller than 43 px (D4). Without script all of it is shown. */
export function CollapsibleText({ text }: { text: string }) {
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const [isTall, setTall] = useState(true);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const element = body.current;
    if (!element) return;
    const measure = () => setTall(element.scrollHeight > COLLAPSED_HEIGHT);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [text]);

  return (
    <div
      className="collapsible-text"
      data-open={isOpen || !isTall ? "" : undefined}
      data-tall={isTall ? "" : undefined}
    >
      <div id={id} ref={body} className="collapsible-text-body prose">
        <Paragraphs text={text} />
      </div>
      {isTall && (
        <button
          type="button"
          className="link-button needs-script"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Read less" : "Read more"}
        </button>
      )}
    </div>
  );
}
