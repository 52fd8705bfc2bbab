import type { Id } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';

/** A community with a channel of posts, and what its members have written there. */
export interface PostShowcase {
  readonly channel: Id;
  readonly long: Id;
  readonly question: Id;
  readonly poll: Id;
  readonly covered: Id;
  readonly deep: Id;
  /** The lowest comment of `deep`. */
  readonly deepest: Id;
}

const TEXT = `I have grown **tulips** for years, and this one came up with *two* heads.

- planted in October
- watered twice a week

> Do not water them in frost.

Has anybody seen that before? See \`bulb.md\`, or ask @grace.`;

/** Makes the community `garden` with posts by `ada`, and comments by both. */
export async function makePosts(ada: Client, grace: Client): Promise<PostShowcase> {
  const made = await ada.communities.create({
    name: 'Lantern Garden',
    slug: 'garden',
    kind: 'both',
    visibility: 'public',
  });
  const { channels } = ada.communities;
  const { id: channel } = await channels.create(made.id, { kind: 'posts', name: 'harvest' });
  await channels.change(channel, {
    questions: true,
    tags: [
      { name: 'Tulips', colour: '#9c2f6b' },
      { name: 'Tools', colour: '#0f6466' },
    ],
  });
  const { tags = [] } = await channels.find(channel);
  await grace.communities.join(made.id);
  const tag = (at: number) => tags.slice(at, at + 1).map(({ id }) => id);
  const pinned = await ada.posts.create(channel, {
    title: 'Read this first: what we grow, and when',
    content: 'The plan of this year, with all beds.',
  });
  await ada.posts.change(pinned.id, { pinned: true, locked: true });
  const long = await ada.posts.create(channel, {
    title: 'A tulip with two heads came up beside the wall this morning, has anybody seen that?',
    content: TEXT,
    tag_ids: tag(0),
  });
  const question = await grace.posts.create(channel, {
    title: 'Which spade lasts?',
    content: 'Mine broke again.',
    tag_ids: tag(1),
    url: 'https://example.org/spades',
  });
  const poll = await ada.posts.create(channel, {
    title: 'What shall we plant in the bed by the gate?',
    poll: {
      options: ['Beans', 'Peas and carrots, if the frost is over by then', 'Nothing'],
      ends_at: Date.now() + 86_400_000,
    },
  });
  const covered = await ada.posts.create(channel, {
    title: 'How the story of the gardener ends',
    content: 'It was the mole.',
    spoiler: true,
  });
  const deep = await ada.posts.create(channel, { title: 'A long conversation' });
  await grace.posts.vote(long.id, 1);
  const deepest = await writeComments(
    { ada, grace },
    { long: long.id, deep: deep.id, question: question.id },
  );
  return {
    channel,
    long: long.id,
    question: question.id,
    poll: poll.id,
    covered: covered.id,
    deep: deep.id,
    deepest,
  };
}

async function writeComments(
  { ada, grace }: { readonly ada: Client; readonly grace: Client },
  posts: Pick<PostShowcase, 'long' | 'deep' | 'question'>,
): Promise<Id> {
  const write = ({ posts: { comments } }: Client, post: Id, content: string, parent?: Id) =>
    comments.create(post, { content, parent_id: parent });
  const first = await write(grace, posts.long, 'Mine did that after a warm winter.');
  const answer = await write(ada, posts.long, 'Did it bloom the year after?', first.id);
  await write(grace, posts.long, 'It did, with **one** head again.', answer.id);
  const second = await write(ada, posts.long, 'Here is what the book says: nothing.');
  const gone = await write(grace, posts.long, 'Something that is taken back.', second.id);
  await write(ada, posts.long, 'Why did you delete it?', gone.id);
  await grace.posts.comments.remove(gone.id);
  await ada.posts.comments.vote(first.id, 1);
  const best = await write(ada, posts.question, 'Steel, forged in one piece.');
  await write(ada, posts.question, 'Or borrow one.');
  await grace.posts.accept(posts.question, best.id);
  let parent = (await write(ada, posts.deep, 'This is level 1 of it.')).id;
  for (let depth = 1; depth < 14; depth += 1) {
    const person = depth % 2 === 0 ? ada : grace;
    parent = (await write(person, posts.deep, `This is level ${depth + 1} of it.`, parent)).id;
  }
  return parent;
}
