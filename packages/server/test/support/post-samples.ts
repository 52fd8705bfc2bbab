import { storedId } from '../../src/ports/database/stored-id.ts';
import type { Id } from '@hearth/protocol';
import {
  channelMessageSchema,
  channelSchema,
  commentSchema,
  MOST_POST_PINS,
  ownCommunitySchema,
  postSchema,
} from '@hearth/protocol/schemas';
import { asOwner } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { MOST_SAVED } from '../../src/features/forum/posts/save-post.ts';
import type { Sample } from './samples.ts';

/** A channel with posts of Ada, who has saved as many posts as she may. */
export interface PostPlaces {
  readonly posts: Id;
  readonly messages: Id;
  /** There to be read and changed. */
  readonly post: Id;
  /** There to be deleted. */
  readonly deleted: Id;
  /** A message that became `post`. */
  readonly source: Id;
  /** In a channel that has as many pins as it may. */
  readonly unpinned: Id;
  /** A question, and a comment that answers it. */
  readonly question: Id;
  readonly answer: Id;
}

/** Makes the channels and posts for {@link postSamples}. */
export async function postPlaces(at: TestInstance, token: string): Promise<PostPlaces> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return await (await fetch(at.addresses.rest + path, init)).json();
  };
  const given = { name: 'Posts', slug: 'posts', visibility: 'public' };
  const { id, channels } = ownCommunitySchema.parse(await ask('/communities', given));
  const [messages] = channels;
  if (messages === undefined) throw new Error('there is no first channel');
  const channel = async (name: string, rest: object = {}) => {
    const body = { kind: 'posts', name, ...rest };
    return channelSchema.parse(await ask(`/communities/${id}/channels`, body)).id;
  };
  const write = async (title: string, channelId: Id, rest: object = {}) =>
    postSchema.parse(await ask(`/channels/${channelId}/posts`, { title, ...rest }));
  const [posts, full] = [await channel('news'), await channel('full')];
  const question = (await write('Oaks?', await channel('questions', { questions: true }))).id;
  const answer = await ask(`/posts/${question}/comments`, { content: 'Elms' });
  const asked = await ask(`/channels/${messages.id}/messages`, { content: 'Good evening' });
  const source = channelMessageSchema.parse(asked).id;
  const post = await write('Good evening', posts, {
    from_message: { channel_id: messages.id, id: source },
  });
  const pins = Array.from({ length: MOST_POST_PINS }, (_, number) => ({
    channel_id: full,
    post_id: storedId(String(number + 1)),
    pinned_at_ms: number,
  }));
  const saves = Array.from({ length: MOST_SAVED }, (_, number) => ({
    user_id: post.user.id,
    post_id: storedId(String(number + 1)),
    channel_id: full,
    saved_at_ms: number,
  }));
  await asOwner(at, ({ database }) =>
    database.transaction(async ({ sql }) => {
      await sql.insertInto('post_pins').values(pins).execute();
      await sql.insertInto('post_saves').values(saves).execute();
    }),
  );
  return {
    posts,
    messages: messages.id,
    post: post.id,
    source,
    deleted: (await write('Good night', posts)).id,
    unpinned: (await write('Good morning', full)).id,
    question,
    answer: commentSchema.parse(answer).id,
  };
}

/** Requests for posts, by Ada and by somebody who is no member. */
export function postSamples({
  posts,
  messages,
  post,
  source,
  deleted,
  unpinned,
  question,
  answer,
}: PostPlaces): Readonly<Record<string, readonly Sample[]>> {
  const [path, nowhere] = [{ id: post }, { id: '1' }];
  const body = '{"title":"Hello"}';
  const again = { title: 'Again', from_message: { channel_id: messages, id: source } };
  const to = JSON.stringify({ channel_id: posts });
  return {
    createPost: [
      { by: 'ada', path: { channel_id: posts }, body },
      { by: 'ada', path: { channel_id: messages }, body },
      { by: 'ada', path: { channel_id: posts }, body: '{"title":""}' },
      { by: 'bob', path: { channel_id: posts }, body },
      { by: 'ada', path: { channel_id: posts }, body: JSON.stringify(again) },
      { by: 'ada', path: { channel_id: '1' }, body },
    ],
    crosspost: [
      { by: 'ada', path, body: to },
      { by: 'ada', path, body: '{}' },
      { by: 'bob', path, body: to },
      { by: 'ada', path: nowhere, body: to },
    ],
    findPost: [{ path }, { path: nowhere }],
    changePost: [
      { by: 'ada', path, body },
      { by: 'ada', path, body: '{"title":""}' },
      { by: 'ada', path: { id: unpinned }, body: '{"pinned":true}' },
      { by: 'bob', path, body },
      { by: 'ada', path: nowhere, body },
    ],
    acceptAnswer: [
      { by: 'ada', path: { id: question }, body: JSON.stringify({ comment_id: answer }) },
      { by: 'ada', path, body: '{"comment_id":null}' },
      { by: 'ada', path, body: '{"comment_id":"x"}' },
      { by: 'bob', path, body: '{"comment_id":null}' },
      { by: 'ada', path: nowhere, body: '{"comment_id":null}' },
    ],
    deletePost: [
      { by: 'bob', path: { id: deleted } },
      { by: 'ada', path: { id: deleted } },
      { by: 'ada', path: { id: deleted } },
    ],
    savePost: [
      { by: 'bob', path },
      { by: 'ada', path },
      { by: 'bob', path: nowhere },
    ],
    unsavePost: [
      { by: 'bob', path },
      { by: 'bob', path },
    ],
    readPost: [
      { by: 'bob', path },
      { by: 'bob', path: nowhere },
    ],
    listSaved: [{ by: 'bob' }, { by: 'bob', query: '?limit=0' }],
  };
}
