import { useRef } from 'preact/hooks';
import { useApp } from '../app-state.ts';
import { AttachIcon } from '../shell/icons.tsx';
import { useText } from '../text/use-text.ts';

/** Opens the browser's choice of files. */
export function AttachButton() {
  const { uploads } = useApp();
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
        // The button beside it is the one that is found.
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
