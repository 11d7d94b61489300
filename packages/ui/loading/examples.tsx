import type { PartExamples } from "../examples.ts";
import { RetryLoad } from "./retry-load.tsx";
import { Spinner } from "./spinner.tsx";

const ignore = () => {};

export const examples: PartExamples = {
  spinner: [
    { name: "With a label", render: () => <Spinner label="Loading offers" /> },
    {
      name: "Decoration",
      note: "Beside words that say the same.",
      render: () => (
        <p>
          <Spinner /> Loading offers
        </p>
      ),
    },
  ],
  "retry-load": [
    { name: "General", render: () => <RetryLoad onRetry={ignore} /> },
    {
      name: "With words of its own",
      render: () => (
        <RetryLoad onRetry={ignore}>The QR code could not be loaded. The link below does the same.</RetryLoad>
      ),
    },
  ],
};
