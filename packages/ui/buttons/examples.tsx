import type { PartExamples } from "../examples.ts";
import { CopyButton } from "./copy-button.tsx";

export const examples: PartExamples = {
  "copy-button": [
    {
      name: "With a code",
      note: "Disabled until its script has loaded. Where the clipboard refuses, the code is selected and a line says so.",
      render: () => (
        <>
          <p id="example-code">BOOTS15</p>
          <CopyButton target="example-code" />
        </>
      ),
    },
  ],
};
