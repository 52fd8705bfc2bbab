import { parseId, type Id } from '@hearth/protocol';
import { channelSchema, ownCommunitySchema } from '@hearth/protocol/schemas';
import { asOwner } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { storeComment, storePost } from '@hearth/testing/stored-posts';
import type { Sample } from './samples.ts';

/** A post and a comment in a private community of Ada. */
export interface VotePlaces {
  readonly post: Id;
  readonly comment: Id;
}

/** Makes what {@link voteSamples} votes for. */
export async function votePlaces(
  at: TestInstance,
  { token, adaId }: { readonly token: string; readonly adaId: string },
): Promise<VotePlaces> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return await (await fetch(at.addresses.rest + path, init)).json();
  };
  const given = { name: 'Votes', slug: 'votes', visibility: 'public', join: 'request' };
  const { id: communityId } = ownCommunitySchema.parse(await ask('/communities', given));
  const asked = { kind: 'posts', name: 'Posts' };
  const { id: channelId } = channelSchema.parse(
    await ask(`/communities/${communityId}/channels`, asked),
  );
  const [post, comment, userId] = [parseId('77'), parseId('78'), parseId(adaId)];
  if (post === undefined || comment === undefined || userId === undefined) throw new Error('no id');
  const place = { channelId, communityId, userId, createdAtMs: 1_700_000_000_000 };
  await asOwner(at, async ({ database }) => {
    await storePost(database, { ...place, id: post });
    await storeComment(database, { ...place, id: comment }, { postId: post });
  });
  return { post, comment };
}

/** Requests about votes and points, by Ada and by somebody who is no member. */
export function voteSamples(
  { post, comment }: VotePlaces,
  { adaId, communityId }: { readonly adaId: string; readonly communityId: string },
): Readonly<Record<string, readonly Sample[]>> {
  const voting = (id: Id): readonly Sample[] => [
    { by: 'ada', path: { id }, body: '{"value":1}' },
    { by: 'ada', path: { id }, body: '{"value":2}' },
    { by: 'bob', path: { id }, body: '{"value":1}' },
    { by: 'ada', path: { id: '1' }, body: '{"value":1}' },
  ];
  const listing = (id: Id): readonly Sample[] => [
    { by: 'ada', path: { id } },
    { by: 'ada', path: { id }, query: '?before=x' },
    { by: 'bob', path: { id } },
    { by: 'ada', path: { id: '1' } },
  ];
  return {
    votePost: voting(post),
    voteComment: voting(comment),
    listPostVotes: listing(post),
    listCommentVotes: listing(comment),
    findPoints: [{ path: { user_id: adaId } }, { path: { user_id: '1' } }],
    findPointRules: [{ path: { community_id: communityId } }, { path: { community_id: '1' } }],
  };
}
