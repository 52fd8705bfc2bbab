import type { Id, Vote } from '@hearth/protocol';
import { receivedVotes } from '@hearth/protocol/received-posts';
import type { Api } from '../api.ts';
import type { RequestOptions } from '../types.ts';

/** Which votes: those of accounts before or after one, the newest first. */
export interface VotesQuery {
  readonly before?: Id | undefined;
  readonly after?: Id | undefined;
  readonly limit?: number | undefined;
}

/** Lists who voted for a post or a comment. */
export function listVotes(
  api: Api,
  { kind, id }: { readonly kind: 'posts' | 'comments'; readonly id: Id },
  { signal, ...query }: VotesQuery & RequestOptions,
): Promise<readonly Vote[]> {
  const shared = { method: 'GET', limit: 'list', query, answers: receivedVotes, signal } as const;
  return kind === 'posts'
    ? api.request({ ...shared, path: '/posts/:id/votes', params: { id } })
    : api.request({ ...shared, path: '/comments/:id/votes', params: { id } });
}
