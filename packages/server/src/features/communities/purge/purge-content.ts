import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';

export interface PurgedChannel {
  readonly communityId: Id;
  readonly channelId: Id;
  readonly signal: AbortSignal;
}

/**
 * Removes what a feature has of a channel besides rows of the database, such as files, before the rows go. It may have been
 * interrupted before, so it allows for being repeated.
 */
export type PurgeContent<Ctx = Context> = (ctx: Ctx, channel: PurgedChannel) => Promise<void>;
