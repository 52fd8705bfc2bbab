import type { CommunityRoles, Id, OverwriteLevels, SightedCommunity } from '@hearth/protocol';
import type { StreamName } from '../../../ports/bus/bus.ts';
import type { StoredChannel } from './channel-store.ts';
import type { StoredRole } from './role-store.ts';
import type { StoredCommunity } from './community-store.ts';

/** A channel or category, and what decides who may do what there. */
export interface KnownChannel extends StoredChannel {
  readonly levels: OverwriteLevels;
  readonly isRestricted: boolean;
  /** Carries its events: its own if it is restricted, otherwise that of its community. */
  readonly stream: StreamName;
  /** True if its community was deleted, and is only there to be restored. */
  readonly isDeleted: boolean;
  /** The channels in which its new posts are shown: those of its settings that exactly those see who see it. */
  readonly cardChannelIds: readonly Id[];
}

/** A community, and everything that decides who may do what there but its members. */
export interface KnownCommunity extends CommunityRoles, SightedCommunity {
  /** The number of its members is not kept up to date. */
  readonly stored: StoredCommunity;
  /** By their ids, the weakest first. */
  readonly roleById: ReadonlyMap<Id, StoredRole>;
  /** By their ids, in their order. The ids of their newest messages are not kept up to date. */
  readonly channelById: ReadonlyMap<Id, KnownChannel>;
}
