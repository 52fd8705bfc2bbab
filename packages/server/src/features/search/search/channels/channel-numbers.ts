import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../../ports/database/database.ts';
import type { LookedUp } from '../index-words.ts';
import { numbersWith, type FoundNumbers, type NumberRange } from '../numbers-with.ts';
import { channelSpans, type ChannelSizes } from './channel-blocks.ts';
import type { ChannelIndex } from './store.ts';
import { rowsOf } from './words-store.ts';

/** Which entries of a channel are searched, and for what. */
export interface ChannelLookUp extends NumberRange {
  readonly channelId: Id;
  readonly index: ChannelIndex;
  readonly lookedUp: LookedUp;
  readonly sizes: ChannelSizes;
}

/**
 * The numbers of the entries of a channel that have everything that is looked up. Throws IndexChanged if the index has changed
 * in such a way that some may be missing from then on.
 */
export function channelNumbers(
  db: Reader,
  { channelId, index, sizes, lastNumber, ...lookUp }: ChannelLookUp,
): AsyncGenerator<FoundNumbers, void> {
  const rows = rowsOf(db, { channelId, sizes, version: index.version });
  const spans = channelSpans(sizes, { merged: index.merged, lastNumber });
  return numbersWith(rows, { ...lookUp, spans, lastNumber });
}
