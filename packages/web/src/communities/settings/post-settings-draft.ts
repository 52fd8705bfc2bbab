import type { Channel, ChannelChange, Id } from '@hearth/protocol';
import { MOST_TAG_CHARACTERS } from '@hearth/protocol/schemas';
import { countCodePoints } from '@hearth/sdk';
import { typedText } from '../../lib/typed-text.ts';

/** A tag while it is changed; a new one has no id yet. */
export interface DraftTag {
  /** Names it while it is changed. */
  readonly key: string;
  readonly id?: Id | undefined;
  readonly name: string;
  readonly colour?: string | undefined;
}

/** The settings of a channel with posts, while they are changed. */
export interface SettingsDraft {
  readonly tags: readonly DraftTag[];
  readonly questions: boolean;
  readonly downvotes: boolean;
  /** In seconds, as it is chosen. */
  readonly hide: string;
  readonly cards: readonly Id[];
}

export function draftOfSettings(channel: Channel): SettingsDraft {
  return {
    tags: (channel.tags ?? []).map((tag) => ({ ...tag, key: tag.id })),
    questions: channel.questions === true,
    downvotes: channel.downvotes !== false,
    hide: String(channel.hide_scores_seconds ?? 0),
    cards: channel.card_channel_ids ?? [],
  };
}

/** Returns what is wrong with tags, if anything. */
export function tagProblem(tags: readonly DraftTag[]): 'tagMissing' | 'tagLong' | undefined {
  if (tags.some(({ name }) => typedText(name) === '')) return 'tagMissing';
  const isLong = tags.some(({ name }) => countCodePoints(name.trim()) > MOST_TAG_CHARACTERS);
  return isLong ? 'tagLong' : undefined;
}

/** Returns what is sent of it. */
export function changeOfSettings(draft: SettingsDraft): ChannelChange {
  return {
    tags: draft.tags.map(({ id, name, colour }) => ({
      ...(id !== undefined && { id }),
      name: name.trim(),
      ...(colour !== undefined && { colour }),
    })),
    questions: draft.questions,
    downvotes: draft.downvotes,
    hide_scores_seconds: Number(draft.hide) || null,
    card_channel_ids: [...draft.cards],
  };
}
