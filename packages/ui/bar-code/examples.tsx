import type { PartExamples } from "../examples.ts";
import { BarDrawing } from "./bar-drawing.tsx";

export const examples: PartExamples = {
  "bar-drawing": [
    {
      name: "Path made by the server",
      render: () => (
        <BarDrawing bar={{ width: 30, path: "M10 0h2v1h-2zM13 0h1v1h-1zM16 0h3v1h-3z" }} label="Barcode for the till" />
      ),
    },
  ],
};
