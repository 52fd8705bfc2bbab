import { useRef } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { AttachIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';

/** Opens the browser's file picker. */
export function AttachButton() {
  const { uploads } = useConversation();
  const { composer: words } = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        // The button next to it is the one that assistive technology finds.
        aria-hidden="true"
        onChange={(event) => {
          uploads.pick(event.currentTarget.files ?? []);
          // So that the same file can be picked again after it was removed.
          event.currentTarget.value = '';
        }}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={words.attach}
        title={words.attach}
        onClick={() => input.current?.click()}
      >
        <AttachIcon />
      </button>
    </>
  );
}
