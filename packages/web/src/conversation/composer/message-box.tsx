import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { useText } from '../../text/use-text.ts';
import { useAutoGrow } from './use-auto-grow.ts';

/** The key code of keys that an input method has taken, in browsers that report it in no other way. */
const TAKEN_BY_INPUT_METHOD = 229;

interface MessageBoxProps {
  /** The id of the element with the number of characters left. */
  readonly limitsId: string;
  readonly onChange: () => void;
  readonly onSend: () => void;
}

/** The last text box of the page. Enter sends; with Shift it starts a new line. */
export function MessageBox({ limitsId, onChange, onSend }: MessageBoxProps) {
  const { draft, name } = useConversation();
  const { composer: words } = useText();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const text = draft.text.value;
  useAutoGrow(box, text);
  const resumed = draft.resumed.value;
  useEffect(() => box.current?.focus({ preventScroll: true }), [resumed]);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    const isOfInputMethod = event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD;
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (event.key !== 'Enter' || hasModifier || isOfInputMethod) return;
    event.preventDefault();
    onSend();
  };
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
        value={text}
        onInput={(event) => {
          draft.text.value = event.currentTarget.value;
          onChange();
        }}
        onKeyDown={onKeyDown}
      />
    </>
  );
}
