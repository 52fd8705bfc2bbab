import type { Id, SplitWords } from '@hearth/protocol';
import type { ChannelSizes } from './channel-blocks.ts';
import type { LockedIndex } from './store.ts';

/** What a step of the indexer works on. */
export interface Indexing {
  readonly channelId: Id;
  /** Is locked until the step ends. */
  readonly index: LockedIndex;
  readonly sizes: ChannelSizes;
  readonly split: SplitWords;
}
