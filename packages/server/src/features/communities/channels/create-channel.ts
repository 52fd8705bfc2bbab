import { ValidationError, type Channel, type Id, type NewChannel } from '@hearth/protocol';
import { MOST_CATEGORIES, MOST_CHANNELS } from '@hearth/protocol/schemas';
import { tooMany } from '../../../too-many.ts';
import type { Account } from '../../../actor.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import {
  channelIn,
  describeChannel,
  readCommunity,
  restructure,
  upsertOverwrite,
  insertChannel,
  type AccessContext,
  type KnownCommunity,
  type StoredChannel,
} from '../structure/structure.ts';
import { changeOfOverwrites, requireGrants } from '../roles/roles.ts';
import { givenOverwrite, requireCategory, requireFields, requireKind } from './channel-fields.ts';
import { channelAct } from './channel-act.ts';
import { changedSettings, requireShown, settingsChange } from './post-settings.ts';
import { requireSubject } from './set-overwrite.ts';

/**
 * Adds a channel or category after the others. Throws ValidationError for a kind or category that the community does not
 * have, ConflictError for one channel too many, and for overwrites what {@link setOverwrite} throws.
 */
export async function createChannel(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, ...input }: NewChannel & { readonly community_id: Id },
): Promise<Channel> {
  const id = await ctx.ids.next();
  const { kind, name, topic = '', category_id: categoryId = '', overwrites = [] } = input;
  const settings = await settingsChange(ctx, input);
  const changing = { actor, id: communityId, needs: 'MANAGE_CHANNELS' } as const;
  const after = await restructure(ctx, changing, async (tx, access) => {
    const { community } = access;
    requireKind(community, kind);
    requireRoom(community, kind);
    requireFields(kind, input);
    requireDifferent(overwrites);
    if (kind === 'category' && categoryId !== '') {
      throw new ValidationError('category_id', 'must not be given for a category');
    }
    const category = categoryId === '' ? undefined : requireCategory(access, categoryId);
    const levels = [category?.overwrites ?? []];
    const positions = community.channelById.values().map(({ position }) => position);
    await addChannel(tx, {
      id,
      communityId,
      kind,
      name,
      topic,
      categoryId,
      position: Math.max(-1, ...positions) + 1,
      slowModeSeconds: input.slow_mode_seconds ?? 0,
      postSettings: changedSettings(community, { kind, postSettings: {} }, settings),
    });
    for (const given of overwrites) {
      await requireSubject(tx, access, given);
      const overwrite = givenOverwrite(given);
      requireGrants(access, [changeOfOverwrites(levels, [], [overwrite])]);
      await upsertOverwrite(tx.sql, id, overwrite);
    }
    if (input.card_channel_ids !== undefined) {
      // Its category and its overwrites decide who sees it.
      const made = await readCommunity(tx.sql, communityId);
      if (made !== undefined) requireShown(channelIn(made, id), input.card_channel_ids);
    }
    return (changed) => channelAct('channel_create', undefined, channelIn(changed, id));
  });
  return describeChannel(channelIn(after, id));
}

function requireDifferent(overwrites: NonNullable<NewChannel['overwrites']>): void {
  if (new Set(overwrites.map(({ id }) => id)).size === overwrites.length) return;
  throw new ValidationError('overwrites', 'must name each role and member once');
}

function requireRoom({ channelById }: KnownCommunity, kind: NewChannel['kind']): void {
  const isCategory = kind === 'category';
  const alike = channelById.values().filter((each) => (each.kind === 'category') === isCategory);
  const most = isCategory ? MOST_CATEGORIES : MOST_CHANNELS;
  if ([...alike].length < most) return;
  const field = isCategory ? 'categories' : 'channels';
  throw tooMany(field, most);
}

type Optional = 'topic' | 'categoryId' | 'slowModeSeconds' | 'postSettings';

export type NewStoredChannel = Omit<StoredChannel, 'version' | 'lastId' | 'overwrites' | Optional> &
  Partial<Pick<StoredChannel, Optional>>;

/** Adds a channel to a community that is locked or new. */
export async function addChannel(tx: Transaction, channel: NewStoredChannel): Promise<void> {
  const usual = { topic: '', categoryId: '', slowModeSeconds: 0, postSettings: {} } as const;
  await insertChannel(tx.sql, { ...usual, ...channel });
  tx.changed('communities', channel.communityId);
}
