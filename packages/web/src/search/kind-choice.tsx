import type { SearchedKind } from '@hearth/protocol';
import { useId } from 'preact/hooks';
import { useText } from '../text/use-text.ts';

interface ChoiceProps {
  readonly kinds: readonly SearchedKind[];
  readonly kind: SearchedKind;
  readonly onChoose: (kind: SearchedKind) => void;
}

/** Messages, posts or comments, if there is more than one of these to search. */
export function KindChoice({ kinds, kind, onChoose }: ChoiceProps) {
  const { search: words } = useText().reading;
  const group = useId();
  if (kinds.length < 2) return null;
  return (
    <div class="search-kinds" role="radiogroup" aria-label={words.what}>
      {kinds.map((each) => (
        <label key={each} class="search-kind">
          <input
            type="radio"
            name={group}
            value={each}
            checked={each === kind}
            onChange={() => onChoose(each)}
          />
          <span>{words.kinds[each]}</span>
        </label>
      ))}
    </div>
  );
}
