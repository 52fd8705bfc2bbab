import type { Client } from '../../packages/sdk/src/index.ts';
import type { Id } from '../../packages/protocol/src/index.ts';
import { picture, settle, type Street } from './street.ts';

const MINUTE = 60_000;

/** The communities of the street, and who is in them. */
export interface Town {
  /** The person whom the pictures are about: she owns the garden. */
  readonly grace: Client;
  readonly mira: Client;
  readonly garden: Id;
  readonly general: Id;
  /** A channel of the garden that not everyone sees. */
  readonly keys: Id;
  /** The code of an invite to the garden. */
  readonly invite: string;
}

/** Makes the communities, with channels, roles, members and messages. */
export async function buildTown(street: Street): Promise<Town> {
  const names = ['grace', 'mira', 'jonas', 'priya', 'samir', 'elif', 'doughlores'];
  const people = new Map<string, Client>();
  for (const name of names) people.set(name, await settle(street, name));
  const person = (name: string): Client => {
    const client = people.get(name);
    if (client === undefined) throw new Error(`nobody is called ${name}`);
    return client;
  };
  const [grace, mira, priya] = [person('grace'), person('mira'), person('priya')];
  const garden = await makeGarden(street, grace);
  for (const name of names.slice(1)) await person(name).communities.join(garden);
  const { roleOf, channelOf } = await furnish(street, grace, garden);
  await give(grace, garden, [
    ['mira', [roleOf('Gardener'), roleOf('Keyholder')]],
    ['priya', [roleOf('Gardener')]],
    ['samir', [roleOf('Beekeeper')]],
  ]);
  await talk(street, people, channelOf);
  await makeOthers(street, { grace, mira, priya, jonas: person('jonas') });
  const { code } = await grace.communities.invites.create(garden, { max_uses: 25 });
  for (const name of names.slice(2)) await person(name).close();
  return {
    grace,
    mira,
    garden,
    general: channelOf('general'),
    keys: channelOf('keyholders'),
    invite: code,
  };
}

async function makeGarden(street: Street, grace: Client): Promise<Id> {
  const { communities } = grace;
  const { id } = await communities.create({
    name: 'Lantern Garden',
    slug: 'garden',
    kind: 'messages',
    visibility: 'public',
    join: 'open',
    description: 'Figs, chard and bees between the houses. Who has a spare hour has a bed to weed.',
  });
  const [icon, banner] = [
    await picture(street, grace, 'greenhouse.png'),
    await picture(street, grace, 'lanterns.png'),
  ];
  await communities.change(id, { icon: icon.id, banner: banner.id });
  return id;
}

async function furnish(street: Street, grace: Client, garden: Id) {
  const { channels, roles } = grace.communities;
  const grow = await channels.create(garden, { kind: 'category', name: 'Growing' });
  const run = await channels.create(garden, { kind: 'category', name: 'Running the garden' });
  await channels.create(garden, { kind: 'announcements', name: 'notice-board' });
  for (const name of ['beds', 'bees', 'seeds-and-cuttings']) {
    await channels.create(garden, { kind: 'messages', name, category_id: grow.id });
  }
  for (const name of ['keyholders', 'tools']) {
    await channels.create(garden, { kind: 'messages', name, category_id: run.id });
  }
  for (const [name, colour] of [
    ['Keyholder', '#8a5200'],
    ['Gardener', '#3f6212'],
    ['Beekeeper', '#2b4fa3'],
  ] as const) {
    await roles.create(garden, { name, colour, permissions: [], hoisted: true });
    street.clock.halt(MINUTE);
  }
  const listed = await roles.list(garden);
  const all = await channels.list(garden);
  const idIn = (list: readonly { readonly id: Id; readonly name: string }[]) => (name: string) => {
    const found = list.find((each) => each.name === name);
    if (found === undefined) throw new Error(`nothing is called ${name}`);
    return found.id;
  };
  const [roleOf, channelOf] = [idIn(listed), idIn(all)];
  await channels.change(channelOf('general'), {
    topic: 'Everything that grows, and everything else',
  });
  const of = (id: Id) => ({ channel_id: channelOf('keyholders'), id });
  await channels.setOverwrite(of(garden), { kind: 'role', allow: [], deny: ['VIEW'] });
  await channels.setOverwrite(of(roleOf('Keyholder')), { kind: 'role', allow: ['VIEW'], deny: [] });
  return { roleOf, channelOf };
}

async function give(
  grace: Client,
  garden: Id,
  given: readonly (readonly [username: string, roles: readonly Id[]])[],
): Promise<void> {
  const { entries } = await grace.communities.members.list(garden);
  for (const [username, ids] of given) {
    const found = entries.find(({ user }) => user.username === username);
    if (found === undefined) continue;
    const member = { community_id: garden, user_id: found.user.id };
    await grace.communities.members.change(member, { role_ids: [...ids] });
  }
}

interface Line {
  /** Default: the first one. */
  readonly channel?: string;
  readonly content: string;
  /** The name of a drawing. */
  readonly file?: string;
}

async function talk(
  street: Street,
  people: ReadonlyMap<string, Client>,
  channelOf: (name: string) => Id,
): Promise<void> {
  const say = async (by: string, { channel = 'general', content, file }: Line) => {
    street.clock.halt(2 * MINUTE);
    const client = people.get(by);
    if (client === undefined) throw new Error(`nobody is called ${by}`);
    const sent = file === undefined ? undefined : await picture(street, client, file);
    const attachments = sent?.key === undefined ? [] : [{ id: sent.id, key: sent.key }];
    return client.channel(channelOf(channel)).send({ content, attachments });
  };
  await say('priya', { content: 'Frost on Thursday. The figs need their coats.' });
  await say('mira', {
    content: 'The greenhouse is warm again, and the chard has noticed.',
    file: 'greenhouse.png',
  });
  const asked = await say('jonas', {
    content: 'Who has the **long** ladder? It was in the shed.',
  });
  await say('samir', { content: 'I do. It comes back tonight, with honey.' });
  await people.get('elif')?.channel(channelOf('general')).react(asked.id, '🪜');
  await say('elif', { content: '@grace can you bring the seed catalogue on Saturday?' });
  await say('samir', { channel: 'bees', content: 'Seven frames, all of them busy.' });
  await say('priya', {
    channel: 'seeds-and-cuttings',
    content: 'Rosemary cuttings are on the windowsill. Take two.',
  });
  await say('mira', { channel: 'keyholders', content: 'The new lock sticks. Turn it twice.' });
}

interface Makers {
  readonly grace: Client;
  readonly mira: Client;
  readonly priya: Client;
  readonly jonas: Client;
}

async function makeOthers(street: Street, { grace, mira, priya, jonas }: Makers): Promise<void> {
  const make = async (client: Client, name: string, more: object) => {
    street.clock.halt(MINUTE);
    const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const input = { name, slug, kind: 'messages', visibility: 'public', join: 'open' } as const;
    return (await client.communities.create({ ...input, ...more })).id;
  };
  const bread = await make(mira, 'Bread Club', {
    description: 'One oven, forty loaves, every Saturday at four.',
  });
  await mira.communities.change(bread, { icon: (await picture(street, mira, 'loaf.png')).id });
  await make(jonas, 'Repair cafe', {
    description: 'Bring what is broken. Leave with it, and with a biscuit.',
    join: 'request',
  });
  await make(priya, 'Night choir', { description: 'We sing when the lanterns are lit.' });
  await grace.communities.join(bread);
  await jonas.communities.join(bread);
}
