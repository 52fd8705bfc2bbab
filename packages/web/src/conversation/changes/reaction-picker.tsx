import { emojiIn } from '@hearth/sdk';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { EmojiPicker } from '../emoji/emoji-picker.tsx';
import { useConversation } from '../use-conversation.ts';
import type { Acting } from './own-changes.ts';
import { setReaction } from './set-reaction.ts';

interface PickerProps {
  readonly acting: Extract<Acting, { readonly kind: 'react' }>;
}

/** Least distance to the edges of the window. */
const MARGIN = 8;

/** The emoji picker beside the message that the reader reacts to. Loaded on use. */
export function ReactionPicker({ acting }: PickerProps) {
  const conversation = useConversation();
  const { changes } = conversation;
  const frame = useRef<HTMLDivElement>(null);
  const { id, opener } = acting;
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    element.showPopover();
    place(element, opener.getBoundingClientRect());
  }, [opener]);
  const leave = (isByKey: boolean) => {
    changes.acting.value = undefined;
    if (isByKey && opener.isConnected) opener.focus({ preventScroll: true });
  };
  useEffect(() => {
    const close = () => leave(false);
    window.addEventListener('resize', close);
    return () => window.removeEventListener('resize', close);
  });
  return (
    <div ref={frame} class="reaction-picker" popover="manual">
      <EmojiPicker
        onPick={(picked) => {
          leave(true);
          const emoji = emojiIn(picked);
          // What failed is not shown.
          if (emoji !== undefined) setReaction(conversation, { id, emoji }, true).catch(() => {});
        }}
        onClose={() => leave(document.activeElement?.closest('.reaction-picker') !== null)}
      />
    </div>
  );
}

/** Below what opened it, or above if there is more room. */
function place(element: HTMLElement, { left, top, bottom }: DOMRect): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const { width, height } = element.getBoundingClientRect();
  const x = Math.max(MARGIN, Math.min(left, clientWidth - width - MARGIN));
  const isBelow = bottom + height + MARGIN <= clientHeight;
  const y = isBelow ? bottom + 4 : Math.max(MARGIN, top - height - 4);
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
}
