import type { Id, Reaction } from '@hearth/protocol';
import type { MessageQuery } from '../messages.ts';
import type { ReactionChange } from '../reaction-change.ts';
import type { RequestOptions } from '../types.ts';

/** A message of any conversation; a change raises its `version`. */
export interface ConversationMessage {
  readonly id: Id;
  readonly version?: number;
  readonly reactions?: readonly Reaction[];
}

/** An event of a stream; `op` is its kind. An event of an unknown kind still has a position. */
export type ConversationEvent<Message> = {
  /** The position in the stream. */
  readonly s: number;
  /** The stream, on gateways that serve several. */
  readonly t?: string;
} & (
  | { readonly op: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE'; readonly d: Message }
  | { readonly op: 'MESSAGE_DELETE'; readonly d: { readonly id: Id } }
  | { readonly op: 'MESSAGE_DELETE_MANY'; readonly d: { readonly ids: readonly Id[] } }
  | {
      readonly op: 'REACTION_ADD' | 'REACTION_REMOVE';
      readonly d: Omit<ReactionChange, 'isAdded'>;
    }
  | { readonly op: 'unknown' }
);

/** Lists the stored messages, as LB2 to LB4 of the specification describe: the newest first. */
export type ListMessages<Message> = (
  query: MessageQuery,
  options: RequestOptions,
) => Promise<readonly Message[]>;

/** A position in a stream. */
export interface Place {
  readonly epoch: string;
  readonly s: number;
}
