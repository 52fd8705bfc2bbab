import { EmojiIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';

interface EmojiButtonProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Opens and closes the emoji picker. */
export function EmojiButton({ isOpen, onToggle }: EmojiButtonProps) {
  const { composer: words } = useText();
  return (
    <button
      type="button"
      class="icon-button emoji-button"
      data-opens-emoji
      aria-label={words.emoji}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      title={words.emoji}
      onClick={onToggle}
    >
      <EmojiIcon />
    </button>
  );
}
