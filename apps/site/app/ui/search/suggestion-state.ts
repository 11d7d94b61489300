import type { SuggestionsAnswer } from "@farthing/core/search/suggestions.ts";

export interface Suggestion {
  label: string;
  /** What is said beside it: the retailer of an offer, how many offers a category has. */
  note?: string;
  path: string;
  /** A retailer's drawing. */
  mark?: string;
}

export interface SuggestionGroup {
  label: string;
  suggestions: Suggestion[];
}

export interface SuggestionState {
  isOpen: boolean;
  /** As typed, without the spaces around it. */
  query: string;
  /** The groups belong to the query typed before, until the answer is there: what is shown does not flicker. */
  groups: SuggestionGroup[];
  outcome: "waiting" | "answered" | "failed";
  /** Which of all suggestions is chosen with the keyboard; -1: the field itself. */
  active: number;
  /** Came while a line was chosen that it does not have: it is shown when the person is back in the field. */
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
 * The search field's suggestions: typing opens them, and answers to what is no longer in the field are dropped (product.md D6). A line that
 * is chosen with the keyboard stays chosen when the answer comes: Enter opens what the person chose, however slow the answer is.
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
      // The field is one stop on the way round.
      const at = (state.active + 1 + event.by + count + 1) % (count + 1);
      return showLate({ ...state, active: at - 1 });
    }
    case "closed":
      return showLate({ ...state, isOpen: false, active: -1 });
  }
}

/** Back in the field, the person gets the answer that was held back. */
function showLate(state: SuggestionState): SuggestionState {
  return state.late && state.active < 0 ? nextSuggestions({ ...state, late: null }, state.late) : state;
}

/** Every suggestion in the order of the arrow keys; the last one leads to all results. */
export function suggestionsOf({ groups, query }: SuggestionState): Suggestion[] {
  const found = groups.flatMap(({ suggestions }) => suggestions);
  return query === "" ? found : [...found, { label: `See all results for “${query}”`, path: searchPath(query) }];
}

export function searchPath(query: string): string {
  return `/search?q=${encodeURIComponent(query)}`;
}

/** What a screen reader is told about the list as it changes. */
export function announcement({ isOpen, query, groups, outcome }: SuggestionState): string {
  if (!isOpen || query === "" || outcome !== "answered") return "";
  const count = groups.reduce((sum, { suggestions }) => sum + suggestions.length, 0);
  if (count === 0) return "No suggestions. Enter searches for it everywhere.";
  return count === 1 ? "1 suggestion" : `${count} suggestions`;
}

function groupsOf({ retailers, categories, offers }: SuggestionsAnswer): SuggestionGroup[] {
  return [
    {
      label: "Retailers",
      suggestions: retailers.map(({ name, path }) => ({ label: name, path, mark: `/art${path}.svg` })),
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
  ].filter(({ suggestions }) => suggestions.length > 0);
}

/** The label in pieces, those that begin a word as one of the query's words does marked: "Fern|hollow", whatever the accents. */
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

/** Without case, accents and apostrophes, as the search compares. */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase();
}
