import { parseId, type Id } from '@hearth/protocol';
import { channelSchema, commentSchema, ownCommunitySchema } from '@hearth/protocol/schemas';
import { asOwner } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { storePost } from '@hearth/testing/stored-posts';
import type { Sample } from './samples.ts';

/** A post of Ada, and two comments of hers. */
export interface CommentPlaces {
  readonly post: Id;
  /** There to be read and changed, and there to be deleted. */
  readonly comment: Id;
  readonly deleted: Id;
}

/** Makes what {@link commentSamples} are about. */
export async function commentPlaces(
  at: TestInstance,
  { token, adaId }: { readonly token: string; readonly adaId: string },
): Promise<CommentPlaces> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return await (await fetch(at.addresses.rest + path, init)).json();
  };
  const given = { name: 'Comments', slug: 'comments', visibility: 'public', join: 'request' };
  const { id: communityId } = ownCommunitySchema.parse(await ask('/communities', given));
  const asked = { kind: 'posts', name: 'Posts' };
  const { id: channelId } = channelSchema.parse(
    await ask(`/communities/${communityId}/channels`, asked),
  );
  const [post, userId] = [parseId('900000000079'), parseId(adaId)];
  if (post === undefined || userId === undefined) throw new Error('no id');
  const place = { channelId, communityId, userId, createdAtMs: 1_700_000_000_000 };
  await asOwner(at, ({ database }) => storePost(database, { ...place, id: post }));
  const write = async (content: string) =>
    commentSchema.parse(await ask(`/posts/${post}/comments`, { content })).id;
  return { post, comment: await write('Good evening'), deleted: await write('Good night') };
}

/** Requests about comments, by Ada and by somebody who is no member. */
export function commentSamples(
  { post, comment, deleted }: CommentPlaces,
  { adaId }: { readonly adaId: string },
): Readonly<Record<string, readonly Sample[]>> {
  const body = '{"content":"Hello"}';
  const [path, nowhere] = [{ post_id: post }, { post_id: '1' }];
  return {
    listComments: [
      { path, query: '?limit=50' },
      { path, query: '?sort=best' },
      { path, query: '?cursor=x' },
      { path: nowhere },
    ],
    createComment: [
      { by: 'ada', path, body },
      { by: 'ada', path, body: '{"content":""}' },
      { by: 'ada', path, body: '{"content":"Hello","parent_id":"1"}' },
      { by: 'bob', path, body },
      { by: 'ada', path: nowhere, body },
    ],
    findComment: [
      { path: { id: comment }, query: '?context=3' },
      { path: { id: comment }, query: '?context=x' },
      { path: { id: '1' } },
    ],
    changeComment: [
      { by: 'ada', path: { id: comment }, body },
      { by: 'ada', path: { id: comment }, body: '{"content":""}' },
      { by: 'bob', path: { id: comment }, body },
      { by: 'ada', path: { id: '1' }, body },
    ],
    deleteComment: [
      { by: 'bob', path: { id: deleted } },
      { by: 'ada', path: { id: deleted } },
      { by: 'ada', path: { id: deleted } },
    ],
    listUserComments: [
      { path: { user_id: adaId }, query: '?limit=50' },
      { path: { user_id: adaId }, query: '?limit=0' },
      { path: { user_id: '1' } },
    ],
  };
}
