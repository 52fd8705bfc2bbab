import type { RefObject } from 'preact';
import { insertText } from '../../ui/insert-text.ts';
import { EmojiPickerOnDemand } from '../emoji/emoji-picker-on-demand.tsx';
import { SuggestionList } from './suggestion-list.tsx';
import type { Completion } from './use-completion.ts';

interface ComposerPopupsProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly completion: Completion;
  readonly suggestionsId: string;
  /** True while the reader picks an emoji. */
  readonly isPicking: boolean;
  readonly onPicked: () => void;
}

/** The views that open above the message box: suggestions, and the emoji picker. */
export function ComposerPopups(props: ComposerPopupsProps) {
  const { box, completion, suggestionsId, isPicking, onPicked } = props;
  const insert = (emoji: string) => {
    onPicked();
    const { current } = box;
    if (current === null) return;
    insertText(current, { start: current.selectionStart, end: current.selectionEnd }, emoji);
  };
  const close = () => {
    onPicked();
    box.current?.focus();
  };
  return (
    <div class="composer-popups">
      {isPicking && <EmojiPickerOnDemand onPick={insert} onClose={close} />}
      <SuggestionList
        id={suggestionsId}
        suggestions={completion.suggestions}
        chosen={completion.chosen}
        onTake={(suggestion) => {
          if (box.current !== null) completion.take(box.current, suggestion);
        }}
      />
    </div>
  );
}
