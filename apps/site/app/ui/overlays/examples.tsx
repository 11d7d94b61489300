import type { PartExamples } from "@farthing/ui/examples.ts";
import { FullPageOverlay } from "./full-page-overlay.tsx";
import { InfoPopup } from "./info-popup.tsx";
import { Skeleton } from "./skeleton.tsx";

export const examples: PartExamples = {
  "full-page-overlay": [
    {
      name: "Four lines",
      note: "The lines take turns; with reduced motion they stand below one another.",
      isWholePage: true,
      render: () => (
        <FullPageOverlay
          isShown
          lines={["Checking your details", "Setting up your account", "Finding your offers", "Nearly there"]}
        />
      ),
    },
    {
      name: "One long line",
      isWholePage: true,
      render: () => (
        <FullPageOverlay isShown lines={["Checking your details with the register of members of your organisation"]} />
      ),
    },
  ],
  "info-popup": [
    {
      name: "In a line of text",
      render: () => (
        <p>
          Cashback is confirmed in 35 to 75 days
          <InfoPopup id="about-confirming" about="confirming">
            A purchase is confirmed once it can no longer be returned, and the shop has told the network so.
          </InfoPopup>
          after the purchase.
        </p>
      ),
    },
  ],
  skeleton: [
    { name: "Cards", render: () => <Skeleton kind="card" count={3} label="Loading offers" /> },
    { name: "Tiles", render: () => <Skeleton kind="tile" count={7} label="Loading retailers" /> },
    { name: "Lines", render: () => <Skeleton kind="line" count={3} /> },
  ],
};
