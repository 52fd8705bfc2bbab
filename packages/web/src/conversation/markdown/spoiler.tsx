import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';
import { useMovedFocus } from '../../ui/use-moved-focus.ts';

/** Text that is hidden until the reader asks for it. */
export function Spoiler({ children }: { readonly children: ComponentChildren }) {
  const { conversation: words } = useText();
  const focus = useMovedFocus();
  const [isShown, setIsShown] = useState(false);
  if (isShown) {
    return (
      <span ref={focus.arrive} class="text-spoiler" tabIndex={-1}>
        {children}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="text-spoiler text-spoiler-hidden"
      aria-label={words.showSpoiler}
      onClick={(event) => {
        focus.leave(event.currentTarget);
        setIsShown(true);
      }}
    >
      <span inert aria-hidden="true">
        {children}
      </span>
    </button>
  );
}
