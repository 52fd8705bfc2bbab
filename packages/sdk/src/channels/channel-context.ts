import type { Id } from '@hearth/protocol';
import type { Api } from '../api.ts';
import type { SdkClock } from '../clock.ts';
import type { ChannelsClient } from '../communities/channels.ts';
import type { CommunityStore } from '../communities/store.ts';
import type { FollowedChannels } from './followed-channels.ts';
import type { MarkQueue } from './mark-queue.ts';
import type { ReadStates } from './read-states.ts';

/** The parts that all channels of a client share. */
export interface ChannelContext {
  readonly api: Api;
  readonly clock: SdkClock;
  readonly random: () => number;
  readonly life: AbortSignal;
  readonly store: CommunityStore;
  readonly channels: ChannelsClient;
  readonly readStates: ReadStates;
  readonly marks: MarkQueue;
  readonly followed: FollowedChannels;
  readonly ownId: () => Id | undefined;
  /** Resolves when everything that the gateway has sent so far has arrived. */
  readonly caughtUp: () => Promise<void>;
  /** Opens the gateway, and keeps it open. Throws ClosedError. */
  readonly keepOpen: () => void;
  /** Resolves when the gateway is open. */
  readonly open: (signal: AbortSignal | undefined) => Promise<void>;
}
