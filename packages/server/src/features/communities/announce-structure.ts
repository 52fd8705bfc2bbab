import {
  channelStream,
  communityStream,
  moderatorStream,
  PERMISSIONS,
  type Id,
  type StreamEvent,
} from '@hearth/protocol';
import type { AccessEnd, Audience } from '../../ports/bus/bus.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { moderatorsOf } from '../audiences/moderating.ts';
import { describeChannel } from '../channels/describe-channel.ts';
import { raiseVersion, takeChannelNumber } from '../channels/channel-turns.ts';
import { describeRole } from '../roles/describe-role.ts';
import { audienceOf } from './audience.ts';
import { describeCommunity } from './describe-community.ts';
import type { KnownChannel, KnownCommunity } from './known-communities.ts';

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
    await tx.emit({ stream, end: { unless: accountsIn(after) } }, { subject: stream });
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
  for (const channel of before.channelById.values()) {
    if (!after.channelById.has(channel.id)) await removeFromStream(tx, channel);
  }
  for (const channel of after.channelById.values()) {
    await announceChannel(tx, { before, after, channel: await raised(tx, before, channel) });
  }
}

/**
 * A channel, with a greater version if its stream changes: who takes a number of the channel for a message, and remembers an
 * earlier version, must not send it in the former stream.
 */
async function raised(
  tx: EmittingTransaction,
  { channelById }: KnownCommunity,
  channel: KnownChannel,
): Promise<KnownChannel> {
  const former = channelById.get(channel.id);
  const isRaised = former === undefined || former.version !== channel.version;
  if (isRaised || former.isRestricted === channel.isRestricted) return channel;
  await raiseVersion(tx, channel.id);
  return { ...channel, version: channel.version + 1 };
}

/** Everyone with an account, as an audience: gateways find out who of them are members. */
function accountsIn({ stored: { id, ownerId } }: KnownCommunity): Audience {
  return { community: id, owner: ownerId, roles: [[id, PERMISSIONS.VIEW]], levels: [] };
}

async function announceRoles(
  tx: EmittingTransaction,
  before: KnownCommunity,
  after: KnownCommunity,
): Promise<void> {
  const id = after.stored.id;
  for (const role of before.roleById.values()) {
    if (after.roleById.has(role.id)) continue;
    await emit(tx, id, { op: 'ROLE_DELETE', d: { id: role.id, community_id: id } });
  }
  for (const role of after.roleById.values()) {
    const former = before.roleById.get(role.id);
    if (former?.version === role.version) continue;
    const op = former === undefined ? 'ROLE_CREATE' : 'ROLE_UPDATE';
    await emit(tx, id, { op, d: describeRole(role) });
  }
}

interface Change {
  readonly before: KnownCommunity;
  readonly after: KnownCommunity;
  readonly channel: KnownChannel;
}

async function announceChannel(
  tx: EmittingTransaction,
  { before, after, channel }: Change,
): Promise<void> {
  const former = before.channelById.get(channel.id);
  const isMoved = former !== undefined && former.isRestricted !== channel.isRestricted;
  if (isMoved) await removeFromStream(tx, former);
  if (former === undefined || isMoved) {
    // Those who see a restricted channel read it when its stream is opened for them.
    if (channel.isRestricted) return;
    return await emitOf(tx, channel, { event: created(channel) });
  }
  if (channel.isRestricted && !haveSameAudience([before, former], [after, channel])) {
    await emitOf(tx, channel, { end: { unless: audienceOf(after, channel) } });
  }
  if (former.version === channel.version) return;
  const event: StreamEvent = { op: 'CHANNEL_UPDATE', d: describeChannel(channel) };
  await emitOf(tx, channel, { event });
}

function created(channel: KnownChannel): StreamEvent {
  return { op: 'CHANNEL_CREATE', d: describeChannel(channel) };
}

function haveSameAudience(...places: readonly [KnownCommunity, KnownChannel][]): boolean {
  const [one, other] = places.map((place) => JSON.stringify(audienceOf(...place)));
  return one === other;
}

/** Removes a channel for all who follow its stream. */
async function removeFromStream(tx: EmittingTransaction, channel: KnownChannel): Promise<void> {
  const d = { id: channel.id, community_id: channel.communityId };
  await emitOf(tx, channel, { event: { op: 'CHANNEL_DELETE', d } });
  if (channel.isRestricted) await emitOf(tx, channel, { end: { everyone: true } });
}

// Numbered with the messages of the channel, so that it comes after those that were sent before.
async function emitOf(
  tx: EmittingTransaction,
  { id, communityId, isRestricted }: KnownChannel,
  entry: { readonly event: StreamEvent } | { readonly end: AccessEnd },
): Promise<void> {
  const stream = isRestricted ? channelStream(id) : communityStream(communityId);
  const number = await takeChannelNumber(tx, id);
  await tx.emit({ stream, ...entry }, { subject: id, number });
}

async function emit(tx: EmittingTransaction, communityId: Id, event: StreamEvent): Promise<void> {
  const stream = communityStream(communityId);
  await tx.emit({ stream, event }, { subject: stream });
}
