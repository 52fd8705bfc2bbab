import { parseId, type Id } from '@hearth/protocol';
import { channelSchema, ownCommunitySchema } from '@hearth/protocol/schemas';
import { asOwner } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { storeComment, storePoll, storePost } from '@hearth/testing/stored-posts';
import type { Sample } from './samples.ts';

/** A post and a comment in a private community of Ada. */
export interface VotePlaces {
  readonly post: Id;
  readonly comment: Id;
  /** A post whose poll has ended. */
  readonly ended: Id;
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
  const [post, comment, ended] = [parseId('77'), parseId('78'), parseId('79')];
  const userId = parseId(adaId);
  if (post === undefined || comment === undefined || ended === undefined || userId === undefined) {
    throw new Error('an id is none');
  }
  const place = { channelId, communityId, userId, createdAtMs: 1_700_000_000_000 };
  await asOwner(at, async ({ database }) => {
    await storePost(database, { ...place, id: post });
    await storePost(database, { ...place, id: ended });
    await storePoll(database, { channelId, postId: post, endsAtMs: 2 ** 50 });
    await storePoll(database, { channelId, postId: ended, endsAtMs: 1 });
    await storeComment(database, { ...place, id: comment }, { postId: post });
  });
  return { post, comment, ended };
}

/** Requests about votes and points, by Ada and by somebody who is no member. */
export function voteSamples(
  { post, comment, ended }: VotePlaces,
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
    voteInPoll: [
      { by: 'ada', path: { id: post }, body: '{"option_ids":["1"]}' },
      { by: 'ada', path: { id: post }, body: '{"option_ids":["3"]}' },
      { by: 'bob', path: { id: post }, body: '{"option_ids":[]}' },
      { by: 'ada', path: { id: '1' }, body: '{"option_ids":[]}' },
      { by: 'ada', path: { id: comment }, body: '{"option_ids":[]}' },
      { by: 'ada', path: { id: ended }, body: '{"option_ids":[]}' },
    ],
    voteComment: voting(comment),
    listPostVotes: listing(post),
    listCommentVotes: listing(comment),
    findPoints: [{ path: { user_id: adaId } }, { path: { user_id: '1' } }],
    findPointRules: [{ path: { community_id: communityId } }, { path: { community_id: '1' } }],
  };
}
