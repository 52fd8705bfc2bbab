import {
  communityStream,
  isEmptyMask,
  maskDigits,
  moderatorStream,
  NO_PERMISSION,
  PERMISSIONS,
  readPermissions,
  without,
  type Id,
  type Permission,
  type PermissionMask,
  type StreamEvent,
} from '@hearth/protocol';
import { isDeepStrictEqual } from 'node:util';
import type { AccessEnd, BusEvent } from '../../../ports/bus/bus.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { moderatorsOf } from './moderating.ts';
import { describeChannel } from './describe-channel.ts';
import { emitInChannels, type ChannelNews } from './emit-in-channels.ts';
import { raiseVersions } from '../../platform/turns/turns.ts';
import { describeRole } from './describe-role.ts';
import { audienceOf, type Audience } from './audience.ts';
import { describeCommunity } from './describe-community.ts';
import type { KnownChannel, KnownCommunity } from './known-community.ts';
import { ANY_POST, hiddenWith } from './hidden-names.ts';

/**
 * Sends everyone what a transaction has changed of a community that it has locked, each thing in the stream of those who see
 * it, and ends the access of those who do not see a channel any more. A channel whose stream changes is removed for all who
 * followed the former one. Gateways let those who see it follow the new one when they learn that the community has changed.
 */
export async function announceStructure(
  tx: EmittingTransaction,
  before: KnownCommunity,
  after: KnownCommunity,
): Promise<void> {
  const id = after.stored.id;
  if (before.stored.visibility !== 'private' && after.stored.visibility === 'private') {
    const stream = communityStream(id);
    const end = { unless: accountsIn(after), hides: [id, ANY_POST] };
    await tx.emit({ stream, end }, { subject: stream });
  }
  if (after.stored.version !== before.stored.version) {
    await emit(tx, id, { op: 'COMMUNITY_UPDATE', d: describeCommunity(after.stored) });
  }
  await announceRoles(tx, before, after);
  const [former, unless] = [moderatorsOf(before), moderatorsOf(after)];
  if (JSON.stringify(former) !== JSON.stringify(unless)) {
    const stream = moderatorStream(id);
    await tx.emit({ stream, end: { unless } }, { subject: stream });
  }
  const news: ChannelNews[] = [];
  for (const channel of before.channelById.values()) {
    if (!after.channelById.has(channel.id)) news.push(...removal(channel));
  }
  const haveSameRoles = rolesText(before) === rolesText(after);
  await raiseOutdated(tx, before, after);
  for (const channel of after.channelById.values()) {
    news.push(...newsOf({ before, after, channel, haveSameRoles }));
  }
  await emitInChannels(tx, news);
}

/**
 * Raises the versions of channels where somebody may do less from now on, or whose stream changes: who remembers an earlier version
 * must neither write what they may not, nor send a message in the former stream.
 */
async function raiseOutdated(
  tx: EmittingTransaction,
  before: KnownCommunity,
  after: KnownCommunity,
): Promise<void> {
  const isLess = before.owner_id !== after.owner_id || before.roles.entries().some(losesIn(after));
  const outdated = after.channelById.values().filter(({ id, version, levels, isRestricted }) => {
    const former = before.channelById.get(id);
    if (former?.version !== version) return false;
    return (
      isLess || former.isRestricted !== isRestricted || !isDeepStrictEqual(former.levels, levels)
    );
  });
  await raiseVersions(
    tx.sql,
    Array.from(outdated, ({ id }) => id),
  );
}

function losesIn({ roles }: KnownCommunity) {
  return ([id, former]: readonly [string, PermissionMask<Permission>]) =>
    !isEmptyMask(without(former, roles.get(id) ?? NO_PERMISSION));
}

/** Everyone with an account, as an audience: gateways find out who of them are members. */
function accountsIn({ stored: { id, ownerId } }: KnownCommunity): Audience {
  const digits = maskDigits(readPermissions(PERMISSIONS, ['VIEW']));
  return { community: id, owner: ownerId, roles: [[id, digits]], levels: [] };
}

async function announceRoles(
  tx: EmittingTransaction,
  before: KnownCommunity,
  after: KnownCommunity,
): Promise<void> {
  const id = after.stored.id;
  const events: StreamEvent[] = [];
  for (const role of before.roleById.values()) {
    if (after.roleById.has(role.id)) continue;
    events.push({ op: 'ROLE_DELETE', d: { id: role.id, community_id: id } });
  }
  for (const role of after.roleById.values()) {
    const former = before.roleById.get(role.id);
    if (former?.version === role.version) continue;
    const op = former === undefined ? 'ROLE_CREATE' : 'ROLE_UPDATE';
    events.push({ op, d: describeRole(role) });
  }
  await emit(tx, id, ...events);
}

/** An event of the protocol as it is published. */
type NotedEvent = StreamEvent & Pick<BusEvent, 'note'>;

interface Change {
  readonly before: KnownCommunity;
  readonly after: KnownCommunity;
  readonly channel: KnownChannel;
  /** True if the owner and the roles, as far as they decide who sees a channel, are the same. */
  readonly haveSameRoles: boolean;
}

function newsOf({ before, after, channel, haveSameRoles }: Change): readonly ChannelNews[] {
  const former = before.channelById.get(channel.id);
  const isMoved = former !== undefined && former.isRestricted !== channel.isRestricted;
  const news = isMoved ? removal(former) : [];
  if (former === undefined || isMoved) {
    const raised = isMoved
      ? { ...channel, version: Math.max(channel.version, former.version + 1) }
      : channel;
    // Those who see a restricted channel read it when its stream is opened for them.
    return channel.isRestricted
      ? news
      : [...news, entryOf(channel, { event: eventOf('CHANNEL_CREATE', raised) })];
  }
  const isSameAudience = haveSameRoles && levelsText(before, former) === levelsText(after, channel);
  if (channel.isRestricted && !isSameAudience) {
    const hides = hiddenWith(channel.id, channel.communityId);
    news.push(entryOf(channel, { end: { unless: audienceOf(after, channel), hides } }));
  }
  if (former.version === channel.version) return news;
  return [...news, entryOf(channel, { event: eventOf('CHANNEL_UPDATE', channel) })];
}

function eventOf(op: 'CHANNEL_CREATE' | 'CHANNEL_UPDATE', channel: KnownChannel): NotedEvent {
  const d = describeChannel(channel);
  const { card_channel_ids: names = [] } = d;
  return { op, d, ...(names.length > 0 && { note: { names } }) };
}

/** Returns what decides who sees the channels of a community, but for their overwrites. */
function rolesText(community: KnownCommunity): string {
  return JSON.stringify(audienceOf(community, { levels: [] }));
}

/** The overwrites that decide who sees a channel. */
function levelsText(community: KnownCommunity, channel: KnownChannel): string {
  return JSON.stringify(audienceOf({ ...community, roleById: new Map() }, channel).levels);
}

/** Removes a channel for all who follow its stream. */
function removal(channel: KnownChannel): ChannelNews[] {
  const d = { id: channel.id, community_id: channel.communityId };
  const note = { hides: hiddenWith(channel.id, channel.communityId) };
  const deleted = entryOf(channel, { event: { op: 'CHANNEL_DELETE', d, note } });
  return channel.isRestricted
    ? [deleted, entryOf(channel, { end: { everyone: true } })]
    : [deleted];
}

function entryOf(
  channel: KnownChannel,
  entry: { readonly event: NotedEvent } | { readonly end: AccessEnd },
): ChannelNews {
  return { channelId: channel.id, publication: { stream: channel.stream, ...entry } };
}

async function emit(
  tx: EmittingTransaction,
  communityId: Id,
  ...events: readonly StreamEvent[]
): Promise<void> {
  const stream = communityStream(communityId);
  await tx.emitAll(events.map((event) => [{ stream, event }, { subject: stream }]));
}
