import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';

/** Text that is hidden until the reader asks for it. */
export function Spoiler({ children }: { readonly children: ComponentChildren }) {
  const { conversation: words } = useText();
  const [isShown, setIsShown] = useState(false);
  if (isShown) return <span class="text-spoiler">{children}</span>;
  return (
    <button
      type="button"
      class="text-spoiler text-spoiler-hidden"
      aria-label={words.showSpoiler}
      onClick={() => setIsShown(true)}
    >
      <span inert aria-hidden="true">
        {children}
      </span>
    </button>
  );
}
