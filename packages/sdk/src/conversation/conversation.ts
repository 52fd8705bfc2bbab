import type { Id } from '@hearth/protocol';
import type { MessageQuery } from '../messages.ts';
import type { RequestOptions } from '../types.ts';

/** A message of any conversation; a change of it raises its `version`. */
export interface ConversationMessage {
  readonly id: Id;
  readonly version?: number;
}

/** An event of a stream. What happened is in `op`; one that is not known here still has its position. */
export type ConversationEvent<Message> = {
  /** The position in the stream. */
  readonly s: number;
  /** The stream, on gateways that serve several. */
  readonly t?: string;
} & (
  | { readonly op: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE'; readonly d: Message }
  | { readonly op: 'MESSAGE_DELETE'; readonly d: { readonly id: Id } }
  | { readonly op: 'unknown' }
);

/** Lists the messages that are kept, as LB2 to LB4 of the specification describe: the newest first. */
export type ListMessages<Message> = (
  query: MessageQuery,
  options: RequestOptions,
) => Promise<readonly Message[]>;

/** A place in a stream. */
export interface Place {
  readonly epoch: string;
  readonly s: number;
}
