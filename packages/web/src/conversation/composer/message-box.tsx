import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { useText } from '../../text/use-text.ts';

import type { Draft } from '../../writing/draft.ts';
import { suggestionId } from './suggestion-list.tsx';
import { useAutoGrow } from './use-auto-grow.ts';
import type { Completion } from './use-completion.ts';
import { useRecall } from './use-recall.ts';
import { useTypingAnywhere } from './use-typing-anywhere.ts';
import { insertText } from '../../ui/insert-text.ts';
import { ownKeys } from '../../ui/own-keys.ts';

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
  const recall = useRecall();
  const id = useId();
  const text = draft.text.value;
  useAutoGrow(box, text);
  useTypingAnywhere(box);
  const resumed = draft.resumed.value;
  useEffect(() => box.current?.focus({ preventScroll: true }), [box, resumed]);
  useInserting(box, draft);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (hasModifier || completion.onKey(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onSend();
    } else if (event.key === 'ArrowUp' && text === '') {
      if (recall(event.currentTarget)) event.preventDefault();
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
          // What was undone is not completed again.
          if (event.inputType.startsWith('history')) completion.close();
          else completion.update(event.currentTarget);
        }}
        onBlur={() => completion.close()}
        onKeyDown={ownKeys(onKeyDown)}
      />
    </>
  );
}

/** Puts what goes back into the draft into the box, before what it has. */
function useInserting(box: MessageBoxProps['box'], draft: Draft): void {
  useEffect(
    () =>
      draft.insertWith((text) => {
        if (box.current !== null) insertText(box.current, { start: 0, end: 0 }, text);
      }),
    [box, draft],
  );
}
