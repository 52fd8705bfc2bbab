import type { Gemoji } from 'gemoji';
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';
import { groupsOf, loadEmoji, searchEmoji, type EmojiData, type EmojiGroup } from './emoji-data.ts';
import { recentEmoji, rememberEmoji } from './recent-emoji.ts';
import { ownKeys } from '../../ui/own-keys.ts';

interface EmojiPickerProps {
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
}

const MOST_FOUND = 80;
const COLUMNS = 8;
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

/** All emoji, by groups, with a search. Arrows move, Enter picks, Escape closes. */
export function EmojiPicker({ onPick, onClose }: EmojiPickerProps) {
  const { composer: words } = useText();
  const [data, setData] = useState<EmojiData | undefined>(undefined);
  const [query, setQuery] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void loadEmoji().then(setData);
    frame.current?.querySelector('input')?.focus();
  }, []);
  useClickOutside(frame, onClose);
  const pick = (emoji: string) => {
    rememberEmoji(emoji);
    onPick(emoji);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') onClose();
    else if (!moveFocus(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isReady = data !== undefined;
  const groups = isReady ? shownGroups(data, query, words) : [];
  return (
    <div
      ref={frame}
      class="emoji-picker"
      role="dialog"
      aria-label={words.emoji}
      onKeyDown={ownKeys(onKeyDown)}
    >
      <input
        dir="auto"
        class="emoji-search"
        type="search"
        aria-label={words.emojiSearch}
        placeholder={words.emojiSearch}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={ownKeys((event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          const first = groups[0]?.emoji[0];
          if (first !== undefined) pick(first.emoji);
        })}
      />
      <div class="emoji-groups" tabIndex={-1}>
        {isReady && groups.length === 0 && <p class="hint">{words.emojiNone}</p>}
        {groups.map((group) => (
          <Group key={group.name} group={group} onPick={pick} />
        ))}
      </div>
    </div>
  );
}

interface GroupProps {
  readonly group: EmojiGroup;
  readonly onPick: (emoji: string) => void;
}

function Group({ group, onPick }: GroupProps) {
  return (
    <section class="emoji-group" aria-label={group.name}>
      <h2>{group.name}</h2>
      <div class="emoji-grid">
        {group.emoji.map(({ emoji, names }) => (
          <button
            key={emoji}
            type="button"
            class="emoji"
            aria-label={names[0]?.replaceAll('_', ' ')}
            title={`:${names[0] ?? ''}:`}
            onClick={() => onPick(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
    </section>
  );
}

interface GroupWords {
  readonly emojiRecent: string;
  readonly emojiFound: string;
  readonly emojiGroups: Readonly<Record<string, string>>;
}

function shownGroups(data: EmojiData, query: string, words: GroupWords): readonly EmojiGroup[] {
  if (query.trim() !== '') {
    const emoji = searchEmoji(data, query).slice(0, MOST_FOUND);
    return emoji.length === 0 ? [] : [{ name: words.emojiFound, emoji }];
  }
  const groups = groupsOf(data).map(({ name, emoji }) => ({
    name: words.emojiGroups[name] ?? name,
    emoji,
  }));
  const recent = recentEmoji()
    .map((each) => data.find(({ emoji }) => emoji === each))
    .filter((each): each is Gemoji => each !== undefined);
  return recent.length === 0 ? groups : [{ name: words.emojiRecent, emoji: recent }, ...groups];
}

function moveFocus({ key, currentTarget }: TargetedKeyboardEvent<HTMLDivElement>): boolean {
  const step = STEPS[key];
  if (step === undefined) return false;
  const buttons = Array.from(currentTarget.querySelectorAll<HTMLElement>('.emoji'));
  const at = buttons.findIndex((button) => button === document.activeElement);
  if (at === -1 && key !== 'ArrowDown') return false;
  const next = at === -1 ? buttons[0] : buttons[at + step];
  if (next === undefined && step < 0) currentTarget.querySelector('input')?.focus();
  next?.focus();
  return true;
}

function useClickOutside(
  frame: { readonly current: HTMLElement | null },
  onClose: () => void,
): void {
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      const isOutside = target instanceof Element && frame.current?.contains(target) === false;
      if (isOutside && target.closest('[data-opens-emoji]') === null) onClose();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [frame, onClose]);
}
