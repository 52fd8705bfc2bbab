import {
  ValidationError,
  type Id,
  type PostSettings,
  type PostSettingsChange,
  type Tag,
} from '@hearth/protocol';
import { MOST_CARD_CHANNELS, postSettingsChangeSchema } from '@hearth/protocol/schemas';
import {
  showsCards,
  type KnownChannel,
  type KnownCommunity,
  type StoredChannel,
} from '../structure/structure.ts';

/** A change, and the ids that its new tags get. */
export interface SettingsChange {
  readonly change: PostSettingsChange;
  readonly tagIds: readonly Id[];
}

/** A channel whose settings change; one that is made now is not in the community yet. */
interface ChangedChannel extends Pick<StoredChannel, 'kind' | 'postSettings'> {
  readonly id?: Id;
}

/** The settings of a change that may change more, with an id for each new tag. */
export async function settingsChange(
  { ids }: { readonly ids: { next(): Promise<Id> } },
  { tags, questions, downvotes, hide_scores_seconds, card_channel_ids }: PostSettingsChange,
): Promise<SettingsChange> {
  const isNew = (tags ?? []).filter(({ id }) => id === undefined);
  const tagIds = await Promise.all(isNew.map(() => ids.next()));
  return {
    change: { tags, questions, downvotes, hide_scores_seconds, card_channel_ids },
    tagIds,
  };
}

/**
 * Returns what is special about a channel with posts after a change. Throws ValidationError for a channel without
 * posts, for a tag that there is not, and for a channel that cannot show cards. Of a channel that is made now, it is
 * not known yet who will see it, so `requireShown` has to follow.
 */
export function changedSettings(
  community: Pick<KnownCommunity, 'stored' | 'roleById' | 'channelById'>,
  { kind, postSettings, id: channelId }: ChangedChannel,
  { change, tagIds }: SettingsChange,
): PostSettings {
  requirePostsFor(kind, change);
  const settings: PostSettings = { ...postSettings };
  const set = <Key extends keyof PostSettings>(key: Key, value: PostSettings[Key] | undefined) => {
    if (value === undefined) delete settings[key];
    else settings[key] = value;
  };
  if (change.tags !== undefined) {
    const tags = tagsOf(postSettings.tags ?? [], change.tags, tagIds);
    set('tags', tags.length > 0 ? tags : undefined);
  }
  if (change.questions !== undefined) set('questions', change.questions || undefined);
  if (change.downvotes !== undefined) set('downvotes', change.downvotes ? undefined : false);
  if (change.hide_scores_seconds !== undefined) {
    const seconds = change.hide_scores_seconds ?? 0;
    set('hide_scores_seconds', seconds > 0 ? seconds : undefined);
  }
  if (change.card_channel_ids !== undefined) {
    const channel = channelId && community.channelById.get(channelId);
    const ids = cardChannels(community, channel, change.card_channel_ids);
    set('card_channel_ids', ids.length > 0 ? ids : undefined);
  }
  return settings;
}

function requirePostsFor(kind: StoredChannel['kind'], change: PostSettingsChange): void {
  if (kind === 'posts') return;
  for (const field of Object.keys(postSettingsChangeSchema.shape)) {
    // Guarantee: the keys of the schema are those of its values.
    const value = change[field as keyof PostSettingsChange];
    if (value === undefined || value === null) continue;
    throw new ValidationError(field, 'must not be given unless the channel is for posts');
  }
}

function tagsOf(
  before: readonly Tag[],
  given: NonNullable<PostSettingsChange['tags']>,
  newIds: readonly Id[],
): Tag[] {
  const known = new Set(before.map(({ id }) => id));
  const fresh = newIds.values();
  const tags = given.map(({ id, name, colour }): Tag => {
    if (id !== undefined && !known.delete(id)) {
      throw new ValidationError('tags', 'must name each tag of the channel at most once');
    }
    const own = id ?? fresh.next().value;
    if (own === undefined) throw new Error('every new tag has an id');
    return { id: own, name, ...(colour !== undefined && { colour }) };
  });
  if (new Set(tags.map(({ name }) => name.toLowerCase())).size < tags.length) {
    throw new ValidationError('tags', 'must have different names');
  }
  return tags;
}

/** The channels that are given, and after them those that are not shown, as long as there is room. */
function cardChannels(
  community: Pick<KnownCommunity, 'stored' | 'roleById' | 'channelById'>,
  channel: KnownChannel | undefined,
  given: readonly Id[],
): Id[] {
  if (channel !== undefined && !given.every((id) => showsCards(community, { channel, id }))) {
    throw noCards();
  }
  const shown = new Set(channel?.cardChannelIds);
  const hidden = (channel?.postSettings.card_channel_ids ?? []).filter(
    (id) => !shown.has(id) && community.channelById.has(id),
  );
  return [...new Set([...given, ...hidden])].slice(0, MOST_CARD_CHANNELS);
}

/** Throws ValidationError unless all channels that are given show the posts of a channel. */
export function requireShown(
  { cardChannelIds }: Pick<KnownChannel, 'cardChannelIds'>,
  given: readonly Id[],
): void {
  if (!given.every((id) => cardChannelIds.includes(id))) throw noCards();
}

function noCards(): ValidationError {
  return new ValidationError(
    'card_channel_ids',
    'must be the ids of channels with messages that exactly those see who see this channel',
  );
}
