import type { Id, Reaction, UserSummary } from '@hearth/protocol';
import { receivedPeople, receivedReaction } from '@hearth/protocol/received';
import type { Api } from './api.ts';
import type { RequestOptions } from './types.ts';

/** A message and an emoji. */
export interface ReactionTo {
  readonly id: Id;
  /** One emoji, with or without variation selectors. */
  readonly emoji: string;
}

/** Which of the people who reacted, as for lists of messages; at most `limit` (1 to 100, 50 by default). */
export interface ReactedQuery extends ReactionTo {
  readonly before?: Id | undefined;
  readonly after?: Id | undefined;
  readonly limit?: number | undefined;
}

/** Reacts to a message. */
export function addReaction(
  api: Api,
  { id, emoji }: ReactionTo,
  { signal }: RequestOptions = {},
): Promise<Reaction> {
  return api.request({
    method: 'PUT',
    path: '/messages/:id/reactions/:emoji',
    params: { id, emoji },
    limit: 'react',
    answers: receivedReaction,
    signal,
  });
}

/** Takes back a reaction. */
export function removeReaction(
  api: Api,
  { id, emoji }: ReactionTo,
  { signal }: RequestOptions = {},
): Promise<Reaction> {
  return api.request({
    method: 'DELETE',
    path: '/messages/:id/reactions/:emoji',
    params: { id, emoji },
    limit: 'react',
    answers: receivedReaction,
    signal,
  });
}

/** Lists who reacted to a message with an emoji, the newest account first. */
export function listReacted(
  api: Api,
  { id, emoji, before, after, limit }: ReactedQuery,
  { signal }: RequestOptions = {},
): Promise<readonly UserSummary[]> {
  return api.request({
    method: 'GET',
    path: '/messages/:id/reactions/:emoji',
    params: { id, emoji },
    limit: 'list',
    query: { before, after, limit },
    answers: receivedPeople,
    signal,
  });
}
