import { dice } from '@hearth/testing/clients/profile-wanderer';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { connect, memoryTokens, type Client, type Id } from '../src/index.ts';
import { ChannelView, shownAs } from './support/channel-view.ts';
import { cuttableClient } from './support/cuttable-client.ts';

const STEPS = 120;
const PASSWORD = 'correct horse battery';

/** Few events are kept to resume from, so that a client that was away for a while needs the history. */
const TOML = `registration = "open"\n${GENEROUS_LIMITS}[pandemonium.replay]\nevents = 12\n`;

async function registered(url: string, username: string): Promise<Client> {
  const client = await connect(url, { tokens: memoryTokens(), random: () => 0 });
  await client.register({ username, email: `${username}@example.org`, password: PASSWORD });
  return client;
}

/** Does something at random in one of the channels. */
async function act(client: Client, ids: readonly Id[], roll: (sides: number) => number) {
  const channel = client.channel(ids[roll(ids.length)] ?? ids[0] ?? fail());
  const kind = roll(10);
  if (kind < 5) return void (await channel.send(`no. ${roll(1_000_000)}`));
  const page = await channel.history({ limit: 20 });
  const { id } = page[roll(Math.max(1, page.length))] ?? {};
  if (id === undefined) return;
  if (kind < 7) await channel.change(id, `changed ${roll(1_000_000)}`);
  else if (kind === 7) await channel.remove(id);
  else if (kind === 8) await channel.react(id, roll(2) === 0 ? '👍' : '🎉');
  else await channel.removeMany(page.slice(0, 2).map((message) => message.id));
}

function fail(): never {
  throw new Error('there is a channel');
}

/** Breaks the connection at random while others write, and moves a channel from one stream to another. */
async function wander(seed: number): Promise<void> {
  const roll = dice(seed);
  await using instance = await startTestInstance({ toml: TOML });
  await using ada = await registered(instance.addresses.rest, 'ada');
  await using tokensOf = await registered(instance.addresses.rest, 'brendan');
  const tokens = memoryTokens();
  await using broken = await cuttableClient(instance, { tokens });
  const { client, cutter } = broken;
  await client.signIn({ username: 'brendan', password: PASSWORD });
  const garden = { name: 'Garden', slug: 'garden', visibility: 'public', join: 'open' } as const;
  const { id: communityId } = await ada.communities.create(garden);
  await tokensOf.communities.join(communityId);
  const { id: memberId } = await tokensOf.me();
  const ids = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const made = await ada.communities.channels.create(communityId, { kind: 'messages', name });
      return made.id;
    }),
  );
  const [moving = fail()] = ids;
  const overwrite = { channel_id: moving, id: memberId };
  const member = { kind: 'member', allow: ['VIEW'], deny: [] } as const;
  await ada.communities.channels.setOverwrite(overwrite, { ...member, allow: ['VIEW'], deny: [] });
  await client.open();
  const views = ids.map((id) => new ChannelView(client.channel(id)));
  await Promise.all(views.map((view) => view.load()));
  let isRestricted = false;
  for (let step = 0; step < STEPS; step += 1) {
    await act(ada, ids, roll);
    const what = roll(12);
    if (what === 0) cutter.cut();
    if (what === 1) {
      cutter.refuse(true);
      cutter.cut();
    }
    if (what === 2) cutter.refuse(false);
    if (what === 3) {
      isRestricted = !isRestricted;
      const everyone = { channel_id: moving, id: communityId };
      const { channels } = ada.communities;
      if (!isRestricted) await channels.removeOverwrite(everyone);
      else await channels.setOverwrite(everyone, { kind: 'role', allow: [], deny: ['VIEW'] });
    }
  }
  cutter.refuse(false);
  client.gateway.reconnectNow();
  const last = await Promise.all(ids.map((id) => ada.channel(id).send('the last one')));
  for (const [index, id] of ids.entries()) {
    const kept = (await ada.channel(id).history({ limit: 100 })).toReversed().map(shownAs);
    const newest = last[index]?.id ?? '';
    await until(async () => views[index]?.shown.at(-1)?.startsWith(newest) === true);
    await until(async () => client.channel(id).isCurrent);
    expect(views[index]?.shown.slice(-kept.length)).toEqual(kept);
  }
  expect(views.map(({ gaps, wrong }) => [gaps, wrong])).toEqual([
    [0, []],
    [0, []],
  ]);
}

const given = Math.floor(Math.random() * 2 ** 32);

test.each([given])(
  '[SK36] whatever breaks, a reader of a channel shows in the end what the instance has: seed %i',
  wander,
  120_000,
);
