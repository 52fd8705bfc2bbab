import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { useText } from '../../text/use-text.ts';

import { suggestionId } from './suggestion-list.tsx';
import { useAutoGrow } from './use-auto-grow.ts';
import type { Completion } from './use-completion.ts';
import { useRecall } from './use-recall.ts';
import { useTypingAnywhere } from './use-typing-anywhere.ts';

/** The key code of keys that an input method has taken, in browsers that report it in no other way. */
const TAKEN_BY_INPUT_METHOD = 229;

interface MessageBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly completion: Completion;
  /** The id of the list of suggestions. */
  readonly suggestionsId: string;
  /** The id of the element with the number of characters left. */
  readonly limitsId: string;
  readonly onChange: () => void;
  readonly onSend: () => void;
}

/**
 * The last text box of the page. Enter sends; with Shift it starts a new line. Arrow up in the empty box brings back what
 * was written last.
 */
export function MessageBox(props: MessageBoxProps) {
  const { box, completion, suggestionsId, limitsId, onChange, onSend } = props;
  const conversation = useConversation();
  const { draft, name } = conversation;
  const { composer: words } = useText();
  const recall = useRecall(onChange);
  const id = useId();
  const text = draft.text.value;
  useAutoGrow(box, text);
  useTypingAnywhere(box);
  const resumed = draft.resumed.value;
  useEffect(() => box.current?.focus({ preventScroll: true }), [box, resumed]);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    const isOfInputMethod = event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD;
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (hasModifier || isOfInputMethod || completion.onKey(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onSend();
    } else if (event.key === 'ArrowUp' && text === '') {
      if (recall()) event.preventDefault();
    }
  };
  const isOpen = completion.suggestions.length > 0;
  return (
    <>
      <label class="visually-hidden" for={id}>
        {words.label}
      </label>
      <textarea
        ref={box}
        id={id}
        class="composer-box"
        rows={1}
        dir="auto"
        enterkeyhint="send"
        placeholder={words.placeholder(name)}
        aria-describedby={limitsId}
        aria-autocomplete="list"
        aria-controls={isOpen ? suggestionsId : undefined}
        aria-activedescendant={isOpen ? suggestionId(suggestionsId, completion.chosen) : undefined}
        value={text}
        onInput={(event) => {
          draft.text.value = event.currentTarget.value;
          onChange();
          completion.update(event.currentTarget);
        }}
        onBlur={() => completion.close()}
        onKeyDown={onKeyDown}
      />
    </>
  );
}
