import type { ChannelStub, Id, Permission, PostSettings } from '@hearth/protocol';
import type { ShownChannel, ShownCommunity } from '../communities/shown-communities.ts';

/** The rights of the reader with the posts of a channel. */
export interface PostRights {
  readonly vote: boolean;
  readonly comment: boolean;
  readonly post: boolean;
  readonly pin: boolean;
  readonly manage: boolean;
  /** The right to see who voted how. */
  readonly viewVotes: boolean;
  readonly isVisitor: boolean;
}

/** People with an account may comment and vote in open communities without joining them. */
export function rightsIn(
  { community, own }: ShownCommunity,
  channel: Id | undefined,
  owner: Id | undefined,
): PostRights {
  const of = own?.channels.find(({ id }) => id === channel)?.permissions;
  const may = (permission: Permission) => of?.has(permission) === true;
  const isGuest = own === undefined && owner !== undefined && community.join === 'open';
  return {
    vote: may('VOTE') || isGuest,
    comment: may('COMMENT') || isGuest,
    post: may('CREATE_POSTS'),
    pin: may('PIN'),
    manage: may('MANAGE_CONTENT'),
    viewVotes: may('VIEW_VOTES'),
    isVisitor: owner === undefined,
  };
}

/** Returns what is special about a channel with posts, as far as it is known. */
export function settingsOf(channel: ShownChannel | ChannelStub | undefined): PostSettings {
  if (channel === undefined) return {};
  const details: unknown = Reflect.get(channel, 'details') ?? channel;
  // Guarantee: the details of a channel have these fields, and one without them has none.
  return details as PostSettings;
}
