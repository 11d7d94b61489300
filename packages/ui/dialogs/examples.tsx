import { useState } from "react";
import type { PartExamples } from "../examples.ts";
import { ModalDialog } from "./modal-dialog.tsx";

/** A dialog that opens with the page, and again by its button. */
function OpenDialog({ title, text, hasField = false }: { title: string; text: string; hasField?: boolean }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Open the dialog
      </button>
      <ModalDialog id="example-dialog" title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{text}</p>
        {hasField && (
          <p className="field">
            <label htmlFor="dialog-field">Your answer</label>
            <input id="dialog-field" />
          </p>
        )}
      </ModalDialog>
    </>
  );
}

export const examples: PartExamples = {
  "modal-dialog": [
    { name: "Text", isWholePage: true, render: () => <OpenDialog title="Your card" text="Show this in the shop." /> },
    {
      name: "Field that takes the focus",
      isWholePage: true,
      render: () => <OpenDialog title="One question" text="Why do you leave?" hasField />,
    },
    {
      name: "Long title and text",
      note: "The dialog scrolls; the page behind it does not.",
      isWholePage: true,
      render: () => (
        <OpenDialog
          title="What happens to your cashback when you move to the carers’ club"
          text={"Everything that is tracked or confirmed moves with you. ".repeat(40)}
        />
      ),
    },
  ],
};
