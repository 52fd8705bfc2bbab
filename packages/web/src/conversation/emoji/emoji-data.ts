import { foldText } from '@hearth/protocol';
import type { Gemoji } from 'gemoji';
import { loadPart } from '../../lib/load-part.ts';
import { MOST_SUGGESTIONS, type Suggestion } from '../composer/completion.ts';

/** Emoji with their names; all names of one emoji are its own. */
export type EmojiData = readonly Gemoji[];

/** The emoji of a group. */
export interface EmojiGroup {
  readonly name: string;
  readonly emoji: EmojiData;
}

/** Loads the names of all emoji. They are not part of the first load. Rejects only if they are optional. */
export async function loadEmoji(isOptional = false): Promise<EmojiData> {
  const { gemoji } = await loadPart('gemoji', () => import('gemoji'), { isOptional });
  return gemoji;
}

/** The emoji of this name. */
export function emojiNamed(data: EmojiData, name: string): string | undefined {
  return data.find(({ names }) => names.includes(foldText(name)))?.emoji;
}

/** The emoji whose names or tags contain `query`: names that begin with it come first. */
export function searchEmoji(data: EmojiData, query: string): EmojiData {
  const wanted = foldText(query).trim().replaceAll(/\s+/g, '_');
  if (wanted === '') return data;
  const words = wanted.replaceAll('_', ' ');
  const rank = ({ names, tags, description }: Gemoji): number => {
    if (names.some((name) => name === wanted)) return 0;
    if (names.some((name) => name.startsWith(wanted))) return 1;
    if (tags.some((tag) => tag.startsWith(wanted))) return 2;
    const isPart = names.some((name) => name.includes(wanted)) || description.includes(words);
    return isPart ? 3 : 4;
  };
  return data
    .map((each) => ({ each, order: rank(each) }))
    .filter(({ order }) => order < 4)
    .toSorted((a, b) => a.order - b.order)
    .map(({ each }) => each);
}

/** Returns what completes the beginning of an emoji's name. */
export function suggestEmoji(data: EmojiData, query: string): readonly Suggestion[] {
  return searchEmoji(data, query)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ emoji, names }) => ({ insert: emoji, label: `:${names[0] ?? ''}:`, emoji }));
}

/** The emoji by groups, in the order of Unicode. */
export function groupsOf(data: EmojiData): readonly EmojiGroup[] {
  const groups = Map.groupBy(data, ({ category }) => category);
  return Array.from(groups, ([name, emoji]) => ({ name, emoji }));
}
