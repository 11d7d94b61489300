import type { PartExamples } from "@farthing/ui/examples.ts";
import type { ReactNode } from "react";
import { SearchForm } from "./search-form.tsx";
import { SearchPanel } from "./search-panel.tsx";
import { nextSuggestions, noSuggestions, type SuggestionEvent } from "./suggestion-state.ts";

const answer = {
  retailers: [
    { name: "Fernhollow Boots", rates: "6% cashback", path: "/retailers/fernhollow-boots" },
    {
      name: "The Great Northern Boot, Shoe and Haberdashery Company",
      rates: "2% to 12.5% cashback",
      path: "/retailers/great-northern",
    },
  ],
  categories: [{ name: "Shoes & bags", path: "/categories/shoes-and-bags", liveOffers: 1 }],
  offers: [
    { title: "20% off boots", headline: "20% off", retailer: "Fernhollow Boots", path: "/offers/x?offer=example" },
  ],
};
const typed: SuggestionEvent = { type: "typed", query: "boots", start: [] };
const recent: SuggestionEvent = {
  type: "typed",
  query: "",
  start: [{ label: "Recent searches", suggestions: [{ label: "sofa", path: "/search?q=sofa" }] }],
};
const ignore = () => {};

/** The panel after these events, below a field as the search form has it. */
function Panel({ events }: { events: SuggestionEvent[] }) {
  return (
    <Field>
      <SearchPanel
        state={events.reduce(nextSuggestions, noSuggestions)}
        onChoose={ignore}
        onForget={ignore}
        onClose={ignore}
      />
    </Field>
  );
}

function Field({ children }: { children: ReactNode }) {
  return (
    <search className="search" data-open="">
      <div className="search-box">
        <p className="search-form">The search field</p>
        {children}
      </div>
    </search>
  );
}

export const examples: PartExamples = {
  "search-form": [
    { name: "In the page", isWholePage: true, render: () => <SearchForm isLarge /> },
    {
      name: "With a long query",
      isWholePage: true,
      render: () => <SearchForm query="waterproof walking boots for wide feet in size thirteen and a half" />,
    },
  ],
  "search-panel": [
    { name: "Recent searches", isWholePage: true, render: () => <Panel events={[recent]} /> },
    {
      name: "Nothing searched for yet",
      isWholePage: true,
      render: () => <Panel events={[{ ...recent, start: [] }]} />,
    },
    { name: "Waiting", isWholePage: true, render: () => <Panel events={[typed]} /> },
    {
      name: "Answer, second line chosen",
      isWholePage: true,
      render: () => (
        <Panel
          events={[
            typed,
            { type: "answered", query: "boots", answer },
            { type: "moved", by: 1 },
            { type: "moved", by: 1 },
          ]}
        />
      ),
    },
    {
      name: "No suggestions",
      isWholePage: true,
      render: () => (
        <Panel
          events={[typed, { type: "answered", query: "boots", answer: { retailers: [], categories: [], offers: [] } }]}
        />
      ),
    },
    {
      name: "Did you mean",
      isWholePage: true,
      render: () => (
        <Panel
          events={[
            { type: "typed", query: "nike", start: [] },
            {
              type: "answered",
              query: "nike",
              answer: { retailers: [], categories: [], offers: [], didYouMean: "nine" },
            },
          ]}
        />
      ),
    },
    { name: "Error", isWholePage: true, render: () => <Panel events={[typed, { type: "failed", query: "boots" }]} /> },
  ],
  "search-suggestions": [
    {
      name: "Attached to a field",
      note: "Press the field or type into it.",
      isWholePage: true,
      render: () => <SearchForm />,
    },
  ],
};
