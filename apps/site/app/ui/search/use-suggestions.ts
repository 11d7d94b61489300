import type { SuggestionsAnswer } from "@farthing/core/search/suggestions.ts";
import { type Dispatch, useEffect } from "react";
import type { SuggestionEvent, SuggestionState } from "./suggestion-state.ts";

/** How long somebody has to stop typing before the server is asked. */
export const typingPauseMs = 150;

/** Asks for suggestions to what is in the field; a question that is no longer asked is cancelled. */
export function useSuggestions({ isOpen, query }: SuggestionState, dispatch: Dispatch<SuggestionEvent>): void {
  useEffect(() => {
    if (!isOpen || query === "") return;
    const cancel = new AbortController();
    const timer = setTimeout(() => {
      ask(query, cancel.signal).then(
        (answer) => dispatch({ type: "answered", query, answer }),
        () => cancel.signal.aborted || dispatch({ type: "failed", query }),
      );
    }, typingPauseMs);
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
