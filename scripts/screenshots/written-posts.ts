import type { Client } from '../../packages/sdk/src/index.ts';
import type { Id } from '../../packages/protocol/src/index.ts';
import { picture, settle, type Street } from './street.ts';

const MINUTE = 60_000;

/** A community with posts, and what the pictures are about. */
export interface Written {
  readonly grace: Client;
  readonly channel: Id;
  readonly question: Id;
}

type Person = 'grace' | 'mira' | 'jonas' | 'priya' | 'samir';
type People = ReadonlyMap<Person, Client>;

const NAMES: readonly Person[] = ['grace', 'mira', 'jonas', 'priya', 'samir'];

const QUESTION = `The leaves of the **old fig** turn yellow from the edge, and only on the side of the wall.

- watered every other morning
- compost in March
- no insects that I can see

> A fig wants its feet dry and its head in the sun.

That is what the book says. Is it the wall, the water, or am I impatient?`;

/** Makes a community, and lets the neighbours post, comment and vote there. */
export async function writePosts(street: Street): Promise<Written> {
  const people = new Map<Person, Client>();
  for (const name of NAMES) people.set(name, await settle(street, name));
  const grace = personIn(people, 'grace');
  const { communities } = grace;
  const { id } = await communities.create({
    name: 'Lantern Garden',
    slug: 'garden',
    kind: 'both',
    visibility: 'public',
    join: 'open',
    description: 'Figs, chard and bees between the houses. Who has a spare hour has a bed to weed.',
  });
  await communities.change(id, { icon: (await picture(street, grace, 'greenhouse.png')).id });
  const { id: channel } = await communities.channels.create(id, {
    kind: 'posts',
    name: 'questions-and-answers',
  });
  await communities.channels.change(channel, {
    questions: true,
    tags: [
      { name: 'Figs', colour: '#6b3fa0' },
      { name: 'Bees', colour: '#8a5200' },
      { name: 'Tools', colour: '#0f6466' },
    ],
  });
  for (const name of NAMES.slice(1)) await personIn(people, name).communities.join(id);
  const question = await post(street, people, channel);
  for (const name of NAMES.slice(1)) await personIn(people, name).close();
  return { grace, channel, question };
}

function personIn(people: People, name: Person): Client {
  const person = people.get(name);
  if (person === undefined) throw new Error(`nobody is called ${name}`);
  return person;
}

/** Returns the id of the question about figs. */
async function post(street: Street, people: People, channel: Id): Promise<Id> {
  const { clock } = street;
  const person = (name: Person) => personIn(people, name);
  const { tags = [] } = await person('grace').communities.channels.find(channel);
  const tag = (name: string) => tags.filter((each) => each.name === name).map((each) => each.id);
  const pinned = await person('grace').posts.create(channel, {
    title: 'Read this first: who has which bed, and when we water',
    content: 'The plan of this year, with all beds. Ask here if something is unclear.',
  });
  await person('grace').posts.change(pinned.id, { pinned: true, locked: true });
  clock.halt(40 * MINUTE);
  const spade = await person('jonas').posts.create(channel, {
    title: 'Which spade lasts longer than one winter?',
    content: 'Mine broke at the neck again, and the one before it, too.',
    tag_ids: tag('Tools'),
  });
  clock.halt(30 * MINUTE);
  const photo = await picture(street, person('mira'), 'greenhouse.png');
  const greenhouse = await person('mira').posts.create(channel, {
    title: 'The greenhouse at six in the morning',
    attachments: [{ id: photo.id, alt: 'Rows of chard under glass, lit from one side' }],
  });
  clock.halt(25 * MINUTE);
  const poll = await person('samir').posts.create(channel, {
    title: 'What do we plant in the bed by the gate?',
    tag_ids: tag('Bees'),
    poll: {
      options: ['Phacelia, for the bees', 'Beans', 'Nothing, it needs a rest'],
      ends_at: clock.unixMs() + 2 * 86_400_000,
    },
  });
  clock.halt(20 * MINUTE);
  const figs = await person('priya').posts.create(channel, {
    title: 'Why does the old fig turn yellow, and only beside the wall?',
    content: QUESTION,
    tag_ids: tag('Figs'),
  });
  for (const name of NAMES) await person(name).posts.vote(figs.id, 1);
  for (const name of ['grace', 'samir', 'priya'] as const) {
    await person(name).posts.vote(greenhouse.id, 1);
  }
  await person('mira').posts.vote(spade.id, 1);
  await person('grace').posts.vote(poll.id, 1);
  await discuss(street, people, figs.id);
  await person('grace').posts.comments.create(spade.id, 'Steel, forged in one piece.');
  return figs.id;
}

async function discuss({ clock }: Street, people: People, question: Id): Promise<void> {
  const say = (name: Person, content: string, parent?: Id) => {
    clock.halt(3 * MINUTE);
    const { comments } = personIn(people, name).posts;
    return comments.create(question, { content, parent_id: parent });
  };
  const answer = await say(
    'samir',
    'It is the wall. It keeps the rain away, and the roots there are **dry**, however wet the rest is. Water that side only, once a week, slowly.',
  );
  const thanks = await say('priya', 'I have dug down a hand: dust. You are right.', answer.id);
  await say('samir', 'Then mulch it, or it is dust again by Friday.', thanks.id);
  await say('jonas', 'There is straw in the shed, under the broken spades.', thanks.id);
  const other = await say('mira', 'Mine did that in its third year and was fine in its fourth.');
  await say('priya', 'This one is older than the house.', other.id);
  for (const name of ['grace', 'priya', 'jonas'] as const) {
    await personIn(people, name).posts.comments.vote(answer.id, 1);
  }
  await personIn(people, 'priya').posts.accept(question, answer.id);
}
