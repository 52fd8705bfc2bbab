import { countCodePoints } from '@hearth/sdk';
import { MOST_CHANNEL_NAME_CHARACTERS } from '@hearth/protocol/schemas';
import type { SettingsText } from './use-settings-text.ts';
import { typedText } from '../../lib/typed-text.ts';

/** Returns what is wrong with the name of a channel, if anything. */
export function checkChannelName(
  typed: string,
  words: SettingsText['channels'],
): string | undefined {
  const length = countCodePoints(typedText(typed));
  if (length === 0) return words.nameMissing;
  return length > MOST_CHANNEL_NAME_CHARACTERS ? words.nameLong : undefined;
}
