import type { PartExamples } from "@farthing/ui/examples.ts";
import { ConsentBanner } from "./consent-banner.tsx";

export const examples: PartExamples = {
  "consent-banner": [
    {
      name: "Three purposes",
      note: "It stays at the lower edge of the window. Both answers are one press.",
      isWholePage: true,
      render: () => <ConsentBanner asked={["measurement", "tags", "messages"]} address="/" />,
    },
    {
      name: "One purpose",
      isWholePage: true,
      render: () => <ConsentBanner asked={["measurement"]} address="/" />,
    },
  ],
};
