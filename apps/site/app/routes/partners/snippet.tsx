import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";

/** Code to copy. `label` says where it goes. It scrolls sideways, so it can be focused. */
export function Snippet({ id, label, code }: { id: string; label: string; code: string }) {
  return (
    <figure className="snippet" aria-labelledby={`${id}-label`}>
      <figcaption>
        <span id={`${id}-label`} className="label">
          {label}
        </span>
        <CopyButton target={id} />
      </figcaption>
      <pre id={id} tabIndex={0} role="region" aria-labelledby={`${id}-label`}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
