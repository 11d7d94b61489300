import type { PartExamples } from "@farthing/ui/examples.ts";
import { tracking } from "../cards/example-catalogue.ts";
import { ArrivalSteps } from "./arrival-steps.tsx";
import { CollapsibleText } from "./collapsible-text.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Notice } from "./notice.tsx";
import { Paragraphs } from "./paragraphs.tsx";

const LONG_TEXT = `Boots for hills, fells and wet pavements, made in Derbyshire since 1921.

- Free delivery over £50
- Returns within 60 days
- Repairs for life

Every pair can be resoled. Ask in the shop or send the boots in.`;

export const examples: PartExamples = {
  "arrival-steps": [
    { name: "Counted from the purchase", render: () => <ArrivalSteps tracking={tracking} /> },
    {
      name: "Counted from the journey, straight away",
      render: () => (
        <ArrivalSteps tracking={{ ...tracking, confirmsAfter: "travel", tracksWithinDays: { min: 0, max: 0 } }} />
      ),
    },
  ],
  "collapsible-text": [
    { name: "Long: collapsed", render: () => <CollapsibleText text={LONG_TEXT} /> },
    { name: "Short: no button", render: () => <CollapsibleText text="Boots for hills." /> },
  ],
  "empty-state": [
    {
      name: "Section",
      render: () => (
        <EmptyState title="No favourites yet">
          <p>Press the heart on an offer or a retailer to keep it here.</p>
          <a href="/" className="button">
            Browse offers
          </a>
        </EmptyState>
      ),
    },
    {
      name: "Whole page, long title",
      render: () => (
        <EmptyState title="Nothing matches “waterproof walking boots for wide feet in size 13 and a half”" isPage>
          <p>Check the spelling, or search for fewer words.</p>
        </EmptyState>
      ),
    },
  ],
  notice: [
    { name: "Information", render: () => <Notice tone="info">Your proof of membership is being checked.</Notice> },
    { name: "Success", render: () => <Notice tone="good" title="Saved" /> },
    {
      name: "Warning with a title",
      render: () => (
        <Notice tone="warn" title="This offer ends today">
          <p>Buy before 17:00 to get the rate that you see here.</p>
        </Notice>
      ),
    },
    {
      name: "Error, announced at once",
      render: () => (
        <Notice tone="bad" title="That did not work" isUrgent>
          <p>
            Check your connection and <a href="/examples/text">try again</a>.
          </p>
        </Notice>
      ),
    },
  ],
  paragraphs: [
    { name: "Paragraphs and a list", render: () => <Paragraphs text={LONG_TEXT} /> },
    {
      name: "One long word",
      render: () => <Paragraphs text={`See ${"averyverylongwordwithoutanybreak".repeat(4)} for more.`} />,
    },
    { name: "Empty", note: "Draws nothing.", render: () => <Paragraphs text="" /> },
  ],
};
