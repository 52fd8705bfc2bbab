import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { insertText } from '../../ui/insert-text.ts';
import { emojiNamed, loadEmoji, suggestEmoji } from '../emoji/emoji-data.ts';
import {
  beginningAt,
  closedEmojiAt,
  nextOffer,
  suggestNames,
  type Beginning,
  type Offer,
  type Suggestion,
} from './completion.ts';

/** The time in milliseconds for which the reader has to pause before the instance is asked. */
const PAUSE_MS = 150;

type Box = HTMLTextAreaElement;

/** The suggestions for the text before the cursor. */
export interface Completion {
  readonly suggestions: readonly Suggestion[];
  /** The position of the suggestion that Enter takes. */
  readonly chosen: number;
  /** Call it after the text or the cursor has changed. */
  update(box: Box): void;
  /** Returns whether the key was for the suggestions. */
  onKey(event: TargetedKeyboardEvent<Box>): boolean;
  take(box: Box, suggestion: Suggestion): void;
  close(): void;
}

/** A beginning, and the names that it could be. */
interface Wanted extends Beginning {
  readonly names: readonly string[];
}

type FindNames = (query: string) => Promise<readonly string[]>;

/** Completes names of emoji, and mentions of `names` and of those that `findNames` knows. */
export function useCompletion(names: () => readonly string[], findNames?: FindNames): Completion {
  const [wanted, setWanted] = useState<Wanted | undefined>(undefined);
  const [offer, setOffer] = useOffer(wanted, findNames);
  const close = () => setWanted(undefined);
  const take = (box: Box, { insert }: Suggestion) => {
    // The reader may have typed on since the suggestions were made.
    const beginning = beginningAt(box.value, box.selectionStart);
    if (beginning !== undefined) insertText(box, beginning, `${insert} `);
    close();
  };
  const onKey = (event: TargetedKeyboardEvent<Box>) => {
    if (offer === undefined || event.shiftKey || event.ctrlKey || event.altKey) return false;
    const { suggestions, chosen } = offer;
    const suggestion = suggestions[chosen];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : suggestions.length - 1;
      setOffer({ ...offer, chosen: (chosen + step) % suggestions.length });
    } else if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion !== undefined) {
      take(event.currentTarget, suggestion);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const update = (box: Box) => {
    void replaceClosedEmoji(box);
    const cursor = box.selectionStart;
    const next = cursor === box.selectionEnd ? beginningAt(box.value, cursor) : undefined;
    const isSame = next?.start === wanted?.start && next?.query === wanted?.query;
    if (!isSame) setWanted(next && { ...next, names: next.kind === 'mention' ? names() : [] });
  };
  return {
    suggestions: offer?.suggestions ?? [],
    chosen: offer?.chosen ?? 0,
    update,
    onKey,
    take,
    close,
  };
}

/** Returns what is offered for a beginning: at once what is known here, and soon what else there is. */
function useOffer(wanted: Wanted | undefined, findNames: FindNames | undefined) {
  const [offer, setOffer] = useState<Offer | undefined>(undefined);
  useEffect(() => {
    if (wanted === undefined) {
      setOffer(undefined);
      return undefined;
    }
    let isCurrent = true;
    let isFound = false;
    const show = (suggestions: readonly Suggestion[]) => {
      if (isCurrent) setOffer((before) => nextOffer(before, wanted, suggestions));
    };
    // What was found has the names that are known here, too.
    void suggestionsFor(wanted).then((known) => {
      if (!isFound) show(known);
    });
    const isName = wanted.kind === 'mention' && wanted.query !== '';
    const stop =
      isName && findNames
        ? findSoon(wanted, findNames, (found) => {
            isFound = true;
            show(found);
          })
        : undefined;
    return () => {
      isCurrent = false;
      stop?.();
    };
  }, [wanted, findNames]);
  return [offer, setOffer] as const;
}

/** Asks for further names when the reader pauses; returns a function that stops it. */
function findSoon(
  wanted: Wanted,
  findNames: FindNames,
  show: (suggestions: readonly Suggestion[]) => void,
): () => void {
  const timer = setTimeout(() => {
    findNames(wanted.query).then(
      (found) => show(suggestNames([...new Set([...wanted.names, ...found])], wanted.query)),
      // Those who have written are offered all the same.
      () => {},
    );
  }, PAUSE_MS);
  return () => clearTimeout(timer);
}

async function suggestionsFor({ kind, query, names }: Wanted): Promise<readonly Suggestion[]> {
  if (kind === 'mention') return suggestNames(names, query);
  // Without the names there is nothing to offer.
  return suggestEmoji(await loadEmoji(true).catch(() => []), query);
}

async function replaceClosedEmoji(box: Box): Promise<void> {
  const text = box.value;
  const closed = closedEmojiAt(text, box.selectionStart);
  if (closed === undefined) return;
  const emoji = emojiNamed(await loadEmoji(true).catch(() => []), closed.query);
  if (emoji !== undefined && box.value === text) insertText(box, closed, emoji);
}
