import { browserStorage, readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'hearth.emoji';
const MOST_RECENT = 16;

/** The emoji that were picked last, the newest first. */
export function recentEmoji(): readonly string[] {
  const stored = readStored(browserStorage('localStorage'), KEY) ?? '';
  return stored.split(' ').filter((each) => each !== '');
}

/** Notes that an emoji was picked. */
export function rememberEmoji(emoji: string): void {
  const recent = [emoji, ...recentEmoji().filter((each) => each !== emoji)].slice(0, MOST_RECENT);
  writeStored(browserStorage('localStorage'), KEY, recent.join(' '));
}
