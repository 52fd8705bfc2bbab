import type { Id, PostPeriod, PostSort } from '@hearth/protocol';
import { receivedPosts, type ReceivedPost } from '@hearth/protocol/received-posts';
import type { Api } from '../api.ts';
import { nextIn, pageOf, type Page, type PageQuery } from '../pages.ts';
import type { RequestOptions } from '../types.ts';

/**
 * The place whose posts are listed: of a channel, a community or a person; those of the person's communities; or those
 * they have saved.
 */
export type PostPlace =
  | { readonly channel_id: Id }
  | { readonly community_id: Id }
  | { readonly user_id: Id }
  | 'feed'
  | 'saved';

/** Which posts. Those of a person and saved ones are always the newest first. */
export interface PostQuery extends PageQuery {
  readonly sort?: PostSort | undefined;
  /** With `top` and `controversial` only. */
  readonly since?: PostPeriod | undefined;
  /** Only posts with this tag. */
  readonly tag?: Id | undefined;
}

/** The cursors of lists that go on before an id begin like this. */
const BEFORE = 'before:';

/** A page of posts. */
export async function listPosts(
  api: Api,
  place: PostPlace,
  { signal, cursor, ...query }: PostQuery & RequestOptions,
): Promise<Page<ReceivedPost>> {
  const isBefore = cursor?.startsWith(BEFORE) === true;
  const from = isBefore ? { before: cursor.slice(BEFORE.length) } : { cursor };
  const shared = {
    method: 'GET',
    limit: 'list',
    query: { ...query, ...from },
    answers: receivedPosts,
    signal,
  } as const;
  return postPageOf(await askFor(api, place, shared));
}

type Shared = Omit<Parameters<Api['requestWithHeaders']>[0], 'path' | 'params' | 'answers'> & {
  readonly answers: typeof receivedPosts;
};

function askFor(api: Api, place: PostPlace, shared: Shared) {
  if (place === 'feed') return api.requestWithHeaders({ ...shared, path: '/feed' });
  if (place === 'saved') return api.requestWithHeaders({ ...shared, path: '/users/me/saved' });
  if ('channel_id' in place) {
    const path = '/channels/:channel_id/posts';
    return api.requestWithHeaders({ ...shared, path, params: place });
  }
  if ('community_id' in place) {
    const path = '/communities/:community_id/posts';
    return api.requestWithHeaders({ ...shared, path, params: place });
  }
  return api.requestWithHeaders({ ...shared, path: '/users/:user_id/posts', params: place });
}

/** Some lists go on with a cursor, others before an id; both are in the address of the next page. */
function postPageOf(answer: {
  readonly answer: readonly ReceivedPost[];
  readonly headers: Headers;
}): Page<ReceivedPost> {
  const page = pageOf(answer);
  const before = nextIn(answer.headers).get('before');
  return { ...page, next: page.next ?? (before === null ? undefined : `${BEFORE}${before}`) };
}
