import { expect, test } from 'bun:test';
import { formatId } from '@hearth/protocol';
import type { CommunityContext } from '../../features/communities/community-context.ts';
import type { ConnectionSocket } from './connection.ts';
import type { AccountProfile } from './profile.ts';
import { Watchers } from './watchers.ts';
import { Watching } from './watching.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('[GC10] a WATCH is answered once the database is back', async () => {
  const id = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
  const sent: string[] = [];
  let isAway = true;
  const ctx = {
    log: { debug: () => {} },
    signals: { listen: () => () => {} },
    users: { all: async () => new Map() },
    channelHomes: {
      async all() {
        if (isAway) throw new Error('the database is away');
        return new Map();
      },
    },
    communities: { all: async () => new Map() },
  };
  const watching = new Watching({
    // Guarantee: it uses no more of it.
    ctx: ctx as unknown as CommunityContext,
    hub: { follows: () => true, isHeld: () => false },
    visits: { begin: async () => true, end: () => {}, forget: () => {} },
    presences: { list: async () => new Map() },
    audiences: { isMember: () => true },
    watchers: { channels: new Watchers(), posts: new Watchers(), communities: new Watchers() },
  });
  // Guarantee: as above.
  const socket = {
    send: (text: string) => sent.push(text),
    data: { status: { state: 'open' } },
  } as unknown as ConnectionSocket;
  const profile = { user: id } as unknown as AccountProfile;
  watching.take(socket, profile, { communities: [id] });
  await turn();
  watching.tick();
  await turn();
  expect(sent).toEqual([]);
  isAway = false;
  watching.tick();
  await turn();
  const [answer = ''] = sent;
  expect(JSON.parse(answer)).toMatchObject({ op: 'WATCHED', d: { communities: [{ id }] } });
  watching.tick();
  await turn();
  expect(sent).toHaveLength(1);
  watching.stop();
});
