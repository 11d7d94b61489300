import type { SuggestionsAnswer } from "@farthing/core/search/suggestions.ts";

export interface Suggestion {
  label: string;
  /** Shown beside the label: the rates of a retailer, the retailer of an offer, or the number of offers in a category. */
  note?: string;
  path: string;
  /** The address of a retailer's mark. */
  mark?: string;
}

export interface SuggestionGroup {
  label: string;
  suggestions: Suggestion[];
}

export interface SuggestionState {
  isOpen: boolean;
  /** As typed, trimmed. */
  query: string;
  /** Until the answer arrives, the groups of the query before, so that the list does not flicker. */
  groups: SuggestionGroup[];
  outcome: "waiting" | "answered" | "failed";
  /** Index of the suggestion that is chosen with the keyboard; -1 for the field itself. */
  active: number;
  /** An answer without the line that was chosen when it arrived. It is shown once the person is back in the field. */
  late: SuggestionEvent | null;
}

export type SuggestionEvent =
  | { type: "typed"; query: string; start: SuggestionGroup[] }
  | { type: "answered"; query: string; answer: SuggestionsAnswer }
  | { type: "failed"; query: string }
  | { type: "moved"; by: 1 | -1 }
  | { type: "closed" };

export const noSuggestions: SuggestionState = {
  isOpen: false,
  query: "",
  groups: [],
  outcome: "answered",
  active: -1,
  late: null,
};

/**
 * Returns the next state of the suggestions. Typing opens them, and answers to an earlier query are dropped (D6). A
 * line that is chosen with the keyboard stays chosen when an answer arrives, so that Enter opens what the person chose.
 */
export function nextSuggestions(state: SuggestionState, event: SuggestionEvent): SuggestionState {
  switch (event.type) {
    case "typed": {
      const query = event.query.trim();
      if (query === "") return { ...noSuggestions, isOpen: true, groups: event.start };
      if (query === state.query) return state.isOpen ? state : { ...state, isOpen: true, active: -1 };
      return {
        isOpen: true,
        query,
        groups: state.query === "" ? [] : state.groups,
        outcome: "waiting",
        active: -1,
        late: null,
      };
    }
    case "answered":
    case "failed": {
      if (event.query !== state.query) return state;
      const groups = event.type === "answered" ? groupsOf(event.answer) : [];
      const next: SuggestionState = { ...state, groups, outcome: event.type, active: -1, late: null };
      const chosen = suggestionsOf(state)[state.active];
      if (!chosen) return next;
      const active = suggestionsOf(next).findIndex(({ path }) => path === chosen.path);
      return active < 0 ? { ...state, late: event } : { ...next, active };
    }
    case "moved": {
      const count = suggestionsOf(state).length;
      // The field is one of the stops.
      const at = (state.active + 1 + event.by + count + 1) % (count + 1);
      return showLate({ ...state, active: at - 1 });
    }
    case "closed":
      return showLate({ ...state, isOpen: false, active: -1 });
  }
}

/** Shows the late answer once no line is chosen. */
function showLate(state: SuggestionState): SuggestionState {
  return state.late && state.active < 0 ? nextSuggestions({ ...state, late: null }, state.late) : state;
}

/** Returns every suggestion in the order of the arrow keys. The last one leads to all results. */
export function suggestionsOf({ groups, query }: SuggestionState): Suggestion[] {
  const found = groups.flatMap(({ suggestions }) => suggestions);
  return query === "" ? found : [...found, { label: `See all results for “${query}”`, path: searchPath(query) }];
}

export function searchPath(query: string): string {
  return `/search?q=${encodeURIComponent(query)}`;
}

/** Returns the text that a path searches for, or null where it leads elsewhere. */
export function searchedText(path: string): string | null {
  return path.startsWith("/search?") ? new URLSearchParams(path.slice(8)).get("q") : null;
}

const QUESTION = "Did you mean";

/** What the list says where no suggestions arrive. */
export const NO_SUGGESTIONS_NOW = "Suggestions can’t be had just now. Searching works.";

/** Returns what a screen reader announces when the list changes. */
export function announcement({ isOpen, query, groups, outcome }: SuggestionState): string {
  if (!isOpen || query === "" || outcome === "waiting") return "";
  if (outcome === "failed") return NO_SUGGESTIONS_NOW;
  const count = groups.reduce((sum, { suggestions }) => sum + suggestions.length, 0);
  if (count === 0) return "No suggestions. Enter searches for it everywhere.";
  if (groups[0]?.label === QUESTION) return `Nothing found. ${QUESTION} ${groups[0].suggestions[0]?.label}?`;
  return count === 1 ? "1 suggestion" : `${count} suggestions`;
}

function groupsOf({ retailers, categories, offers, didYouMean }: SuggestionsAnswer): SuggestionGroup[] {
  return [
    {
      label: "Retailers",
      suggestions: retailers.map(({ name, rates, path }) => ({
        label: name,
        ...(rates && { note: rates }),
        path,
        mark: `/art${path}.svg`,
      })),
    },
    {
      label: "Categories",
      suggestions: categories.map(({ name, path, liveOffers }) => ({
        label: name,
        path,
        note: liveOffers === 1 ? "1 offer" : `${liveOffers} offers`,
      })),
    },
    {
      label: "Offers",
      suggestions: offers.map(({ title, retailer, path }) => ({ label: title, note: retailer, path })),
    },
    { label: QUESTION, suggestions: didYouMean ? [{ label: didYouMean, path: searchPath(didYouMean) }] : [] },
  ].filter(({ suggestions }) => suggestions.length > 0);
}

/**
 * Returns the label in pieces. Beginnings of words that match a word of the query are marked: "Fern|hollow". Accents do
 * not count.
 */
export function markMatches(label: string, query: string): { text: string; isMatch: boolean }[] {
  const words = fold(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const characters = [...label];
  const folded = characters.map(fold);
  const marked = characters.map(() => false);
  for (let at = 0; at < characters.length; at += 1) {
    if (at > 0 && /[\p{L}\p{N}]/u.test(folded[at - 1] ?? "")) continue;
    for (const word of words) {
      let length = 0;
      let text = "";
      while (text.length < word.length && at + length < folded.length) text += folded[at + length++];
      if (text === word) marked.fill(true, at, at + length);
    }
  }
  const pieces: { text: string; isMatch: boolean }[] = [];
  characters.forEach((character, at) => {
    const last = pieces.at(-1);
    if (last && last.isMatch === marked[at]) last.text += character;
    else pieces.push({ text: character, isMatch: marked[at] === true });
  });
  return pieces;
}

/** Returns a text without case, accents and apostrophes, as the search compares it. */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase();
}
