import type { Id } from '@hearth/protocol';

export interface PollOption {
  readonly id: Id;
  readonly text: string;
  readonly votes: number;
}

export interface StoredPoll {
  readonly postId: Id;
  readonly channelId: Id;
  readonly options: readonly PollOption[];
  readonly isMultiple: boolean;
  readonly endsAtMs: number;
  readonly voters: number;
}
