import { Fragment, type ReactNode } from "react";
import {
  markMatches,
  NO_SUGGESTIONS_NOW,
  suggestionsOf,
  type Suggestion,
  type SuggestionGroup,
  type SuggestionState,
} from "./suggestion-state.ts";

export const suggestionId = (index: number) => `search-suggestion-${index}`;

/** The panel below the search field: groups of suggestions, each a link, or a line that says why there are none. */
export function SearchPanel({
  state,
  onChoose,
  onForget,
  onClose,
}: {
  state: SuggestionState;
  onChoose: (suggestion: Suggestion) => void;
  onForget: () => void;
  onClose: () => void;
}) {
  const { groups, query, outcome, active, isOpen } = state;
  const all = suggestionsOf(state);
  const link = (suggestion: Suggestion, className: string) => {
    const index = all.indexOf(suggestion);
    return (
      <a
        key={suggestion.path + suggestion.label}
        id={suggestionId(index)}
        role="option"
        aria-selected={index === active}
        tabIndex={-1}
        href={suggestion.path}
        className={className}
        onClick={() => onChoose(suggestion)}
      >
        {suggestion.mark && <img src={suggestion.mark} alt="" width="28" height="28" />}
        <span>
          {markMatches(suggestion.label, className === "suggestion" ? query : "").map(({ text, isMatch }, index) =>
            isMatch ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
          )}
        </span>
        {suggestion.note && <small>{suggestion.note}</small>}
      </a>
    );
  };
  const last = all.at(-1);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only keeps a press from moving the focus
    <div
      className="search-panel"
      hidden={!isOpen}
      // The focus stays in the field, so that a phone's keyboard stays open.
      onMouseDown={(event) => {
        if (!(event.target as Element).closest("button")) event.preventDefault();
      }}
    >
      <div id="search-suggestions" role="listbox" aria-label="Suggestions" aria-busy={outcome === "waiting"}>
        {groups.map((group) => (
          <Group key={group.label} group={group}>
            {group.suggestions.map((suggestion) => link(suggestion, "suggestion"))}
          </Group>
        ))}
        {query !== "" && last && link(last, "suggestion is-all")}
      </div>
      {query !== "" && groups.length === 0 && outcome !== "waiting" && (
        <p className="search-panel-note">
          {outcome === "failed" ? NO_SUGGESTIONS_NOW : "No shop, category or offer begins like that."}
        </p>
      )}
      {all.length === 0 && <p className="search-panel-note">Type the name of a shop, or what you are looking for.</p>}
      <div className="search-panel-foot">
        {groups[0]?.label === "Recent searches" && (
          <button type="button" className="link-button" onClick={onForget}>
            Clear recent searches
          </button>
        )}
        <button type="button" className="link-button search-panel-close" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  );
}

function Group({ group: { label }, children }: { group: SuggestionGroup; children: ReactNode }) {
  const id = `search-${label.replaceAll(" ", "-").toLowerCase()}`;
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} role="presentation" className="label">
        {label}
      </p>
      {children}
    </div>
  );
}
