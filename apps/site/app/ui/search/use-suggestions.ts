import type { SuggestionsAnswer } from "@farthing/core/search/suggestions.ts";
import { type Dispatch, useEffect } from "react";
import type { SuggestionEvent, SuggestionState } from "./suggestion-state.ts";

/** How long typing pauses before the server is asked. */
const TYPING_PAUSE_MS = 150;

/** An answer that takes longer is of no use to somebody who types: the list says that there are none. */
const ANSWER_MS = 8_000;

/** Fetches suggestions for the query. A request for an earlier query is aborted. */
export function useSuggestions({ isOpen, query }: SuggestionState, dispatch: Dispatch<SuggestionEvent>): void {
  useEffect(() => {
    if (!isOpen || query === "") return;
    const cancel = new AbortController();
    const timer = setTimeout(() => {
      ask(query, AbortSignal.any([cancel.signal, AbortSignal.timeout(ANSWER_MS)])).then(
        (answer) => dispatch({ type: "answered", query, answer }),
        () => cancel.signal.aborted || dispatch({ type: "failed", query }),
      );
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [isOpen, query, dispatch]);
}

async function ask(query: string, signal: AbortSignal): Promise<SuggestionsAnswer> {
  const response = await fetch(`/api/suggestions?q=${encodeURIComponent(query)}`, { signal });
  if (!response.ok) throw new Error(`Suggestions: ${response.status}`);
  return (await response.json()) as SuggestionsAnswer;
}
