import { useText } from '../../text/use-text.ts';
import type { Suggestion } from './completion.ts';

interface SuggestionListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number;
  readonly onTake: (suggestion: Suggestion) => void;
}

/** The id of a suggestion in its list. */
export function suggestionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The list of what completes the text before the cursor; the focus stays in the message box. */
export function SuggestionList({ id, suggestions, chosen, onTake }: SuggestionListProps) {
  const { composer: words } = useText();
  if (suggestions.length === 0) return null;
  return (
    <ul id={id} class="suggestions" role="listbox" aria-label={words.suggestions}>
      {suggestions.map((suggestion, index) => (
        <li
          key={suggestion.label}
          id={suggestionId(id, index)}
          class="suggestion"
          role="option"
          aria-selected={index === chosen}
          onMouseDown={(event) => {
            // The message box would lose the focus.
            event.preventDefault();
            onTake(suggestion);
          }}
        >
          {suggestion.emoji !== undefined && <span aria-hidden="true">{suggestion.emoji}</span>}
          <bdi>{suggestion.label}</bdi>
        </li>
      ))}
    </ul>
  );
}
