import { describe, expect, test } from 'bun:test';
import { messageListSchema } from '@hearth/protocol/schemas';
import { fakeClock } from '@hearth/testing/fake-clock';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { RawSocket } from '@hearth/testing/clients/raw-socket';
import { tempFolder } from '@hearth/testing/temp-folder';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';

const PONG = '{"op":"PONG"}';

/** An instance that keeps this much for clients that resume. */
const keeping = (replay: string) =>
  GENEROUS_LIMITS.replace('[pandemonium]', `[pandemonium]\nreplay = { ${replay} }`);

async function postMany(instance: TestInstance, ...contents: readonly string[]): Promise<void> {
  for (const content of contents) await postMessage(instance, content);
}

/**
 * Connects a client with each query, one after another, while messages are posted; their number does not depend on how
 * long it takes.
 */
async function connectWhilePosting(
  instance: TestInstance,
  queries: readonly string[],
): Promise<readonly ProfileClient[]> {
  // The first post loads what all of them need, which may take some time.
  await postMessage(instance, 'flood');
  const clients: ProfileClient[] = [];
  for (const query of queries) {
    const posts = Array.from({ length: 8 }, () => postMessage(instance, 'flood'));
    clients.push(await ProfileClient.connect(instance, query));
    await Promise.all(posts);
  }
  return clients;
}

const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => String(from + index));

async function history({ addresses }: TestInstance) {
  const answer = await fetch(`${addresses.rest}/messages?limit=100`);
  return messageListSchema.parse(await answer.json()).toReversed();
}

describe('a client that asks for profile 1', () => {
  test('[LB15] a client gets HELLO with profile, heartbeat, epoch, position and recovered: null, and nothing else', async () => {
    await using instance = await startTestInstance();
    using client = await ProfileClient.connect(instance);
    await client.ping();
    expect(client.raw.texts).toEqual([expect.any(String), PONG]);
    expect(JSON.parse(client.raw.texts[0] ?? '')).toEqual({
      op: 'HELLO',
      d: {
        v: 1,
        heartbeat_interval: 45_000,
        epoch: expect.stringMatching(/^[\w-]{8,64}$/),
        s: 0,
        recovered: null,
      },
    });
  });

  test('[LB15][LB16] a client gets HELLO before any event, however many are posted while it connects, and every event after its position', async () => {
    await using instance = await startTestInstance();
    using first = await ProfileClient.greeted(instance);
    const clients = await connectWhilePosting(
      instance,
      Array.from({ length: 40 }, () => 'v=1'),
    );
    await first.ping();
    for (const client of clients) {
      await client.ping();
      expect(client.hello).toMatchObject({ epoch: first.hello.epoch, recovered: null });
      expect(client.ops.filter((op) => op === 'HELLO')).toHaveLength(1);
      expect(client.eventTexts).toEqual(first.eventTexts.slice(client.hello.s));
    }
    expect(new Set(clients.map(({ hello }) => hello.s)).size).toBeGreaterThan(5);
    expect(first.events.map(({ s }) => s)).toEqual(first.events.map((_, index) => index + 1));
    for (const client of clients) client[Symbol.dispose]();
  });

  test.each(['v=01', 'v=%31', 'v=1&v=2'])(
    '[LB14] a client gets it, also with %p',
    async (query) => {
      await using instance = await startTestInstance();
      using client = await ProfileClient.greeted(instance, query);
      expect(client.hello.v).toBe(1);
      await postMessage(instance, 'hello');
      await client.untilEvents(1);
      expect(client.events[0]?.s).toBe(1);
    },
  );

  test('[LB14] a client gets PONG for PING, and no answer to anything else', async () => {
    await using instance = await startTestInstance();
    using client = await ProfileClient.greeted(instance);
    for (const payload of ['', '{}', '{"op":"HELLO"}', '{"op":"RESUME","d":{}}', '[]', 'PING'])
      client.raw.sendText(payload);
    await client.ping();
    await client.ping();
    expect(client.ops).toEqual(['HELLO', 'PONG', 'PONG']);
  });

  test('[LB14] a client gets it at any path and with v in any place of the query', async () => {
    await using instance = await startTestInstance();
    const { gateway } = instance.addresses;
    for (const target of ['/x/y?v=1', '//?v=1', '/?a=%zz&v=1', '/?v=1&%=%ff']) {
      using socket = await RawSocket.connect(gateway, { target });
      await socket.until(() => socket.texts.length > 0);
      expect(socket.texts[0]).toStartWith('{"op":"HELLO"');
    }
  });
});

describe('the events of profile 1', () => {
  test('[LB16][LB17] each event has the next position and the message as in the history', async () => {
    await using instance = await startTestInstance();
    using early = await ProfileClient.greeted(instance);
    await postMany(instance, 'one', 'grüße 👋 "quoted" \u0000', 'three');
    using late = await ProfileClient.greeted(instance);
    expect(late.hello).toEqual({ ...early.hello, s: 3 });
    await postMany(instance, 'four');
    await Promise.all([early.untilEvents(4), late.untilEvents(1)]);
    const messages = await history(instance);
    expect(messages.map(({ content }) => content)).toEqual([...early.contents]);
    const sent = messages.map((d, index) =>
      JSON.stringify({ op: 'MESSAGE_CREATE', s: index + 1, d }),
    );
    expect([early.eventTexts, late.eventTexts]).toEqual([sent, sent.slice(3)]);
  });

  test('[LB9][LB17] the nonce of a post comes back to every client of profile 1 and appears nowhere else', async () => {
    await using instance = await startTestInstance();
    using one = await ProfileClient.greeted(instance);
    using other = await ProfileClient.greeted(instance);
    using documented = await RawSocket.connect(instance.addresses.gateway);
    for (const nonce of ['mine', '', '\u0000'.repeat(64), undefined]) {
      const body = JSON.stringify({ author: 'ada', content: 'hello', nonce });
      const answer = await fetch(`${instance.addresses.rest}/messages`, { method: 'POST', body });
      expect(await answer.json()).toEqual({ author: 'ada', content: 'hello' });
    }
    await Promise.all([one, other].map((client) => client.untilEvents(4)));
    await documented.until(() => documented.texts.length === 4);
    const nonces = one.eventTexts.map((text) => JSON.parse(text).d.nonce);
    expect(nonces).toEqual(['mine', '', '\u0000'.repeat(64), undefined]);
    expect(other.eventTexts).toEqual(one.eventTexts);
    expect(new Set(documented.texts)).toEqual(new Set([eventOf('hello', 'ada')]));
    expect(JSON.stringify(await history(instance))).not.toContain('nonce');
  });
});

describe('the documented gateway', () => {
  test.each(['', '?v=', '?v=0', '?v=00', '?v=-1', '?v=1.5', '?v=abc', '??v=1', '?v=0&v=1'])(
    '[LB14] the documented gateway is unchanged to the byte with %p, whatever profiles other clients use',
    async (query) => {
      await using instance = await startTestInstance();
      using profile = await ProfileClient.greeted(instance);
      const { epoch } = profile.hello;
      await postMessage(instance, 'missed');
      for (const more of ['', `${query === '' ? '?' : '&'}epoch=${epoch}&s=0`]) {
        using documented = await RawSocket.connect(instance.addresses.gateway, {
          target: `/${query}${more}`,
        });
        await postMessage(instance, 'sent');
        documented.sendText('{"op":"PING"}');
        await documented.until(() => documented.texts.includes(PONG));
        expect(documented.frames.map(({ flags }) => flags)).toEqual([0x80, 0x80]);
        expect(documented.texts).toEqual([eventOf('sent'), PONG]);
      }
    },
  );

  test('[LB14][GW12] the documented gateway sends nothing at a stop but its close frame', async () => {
    await using instance = await startTestInstance();
    using profile = await ProfileClient.greeted(instance);
    using documented = await RawSocket.connect(instance.addresses.gateway);
    await postMessage(instance, 'last');
    await instance.stop();
    await Promise.all([profile.raw.ended, documented.ended]);
    expect(documented.texts).toEqual([eventOf('last')]);
    expect(documented.frames).toHaveLength(2);
    expect(documented.closed).toEqual({ code: 1011, reason: 'Server error' });
    expect(profile.raw.closed).toEqual({ code: 1011, reason: 'Server error' });
  });
});

describe('a client that resumes', () => {
  test('[LB18] a client gets exactly the events that it missed, in order and as the others got them, and then new ones', async () => {
    await using instance = await startTestInstance();
    using steady = await ProfileClient.greeted(instance);
    await postMany(instance, ...numbered(40));
    await steady.untilEvents(40);
    const { epoch } = steady.hello;
    for (const s of [0, 1, 7, 39]) {
      const before = steady.events.length;
      using back = await ProfileClient.greeted(instance, resumeQuery({ epoch, s }));
      expect(back.hello).toEqual({ ...steady.hello, s, recovered: true });
      await back.untilEvents(before - s);
      await postMany(instance, 'live', 'and on');
      await back.untilEvents(before - s + 2);
      await steady.untilEvents(before + 2);
      expect(back.eventTexts).toEqual(steady.eventTexts.slice(s));
      await back.ping();
      expect(back.ops.at(0)).toBe('HELLO');
      expect(back.ops.filter((op) => op !== 'MESSAGE_CREATE')).toEqual(['HELLO', 'PONG']);
    }
  });

  test('[LB18] and missed nothing gets recovered: true, and then new events', async () => {
    await using instance = await startTestInstance();
    using steady = await ProfileClient.greeted(instance);
    for (const s of [0, 1, 2]) {
      const { epoch } = steady.hello;
      using back = await ProfileClient.greeted(instance, resumeQuery({ epoch, s }));
      expect(back.hello).toEqual({ ...steady.hello, s, recovered: true });
      await postMessage(instance, `after ${s}`);
      await back.untilEvents(1);
      expect(back.events.map((event) => event.s)).toEqual([s + 1]);
    }
  });

  test('[LB18] and writes the profile in another way continues in the same way', async () => {
    await using instance = await startTestInstance();
    using steady = await ProfileClient.greeted(instance);
    await postMany(instance, 'a', 'b');
    const query = resumeQuery({ epoch: steady.hello.epoch, s: 1 }).replace('v=1', 'v=01');
    using back = await ProfileClient.greeted(instance, query);
    expect(back.hello).toMatchObject({ v: 1, s: 1, recovered: true });
    await back.untilEvents(1);
    expect(back.contents).toEqual(['b']);
  });

  test('[LB18][LB21] a client misses nothing and gets nothing twice while messages are posted all the time', async () => {
    await using instance = await startTestInstance();
    using steady = await ProfileClient.greeted(instance);
    await postMany(instance, ...numbered(300));
    const { epoch } = steady.hello;
    const clients = await connectWhilePosting(
      instance,
      Array.from({ length: 20 }, (_, index) => resumeQuery({ epoch, s: 15 * index })),
    );
    await steady.ping();
    for (const client of clients) {
      await client.untilEvents(steady.events.length - client.hello.s);
      expect(client.hello.recovered).toBe(true);
      expect(client.eventTexts).toEqual(steady.eventTexts.slice(client.hello.s));
      client[Symbol.dispose]();
    }
  });

  test('[LB14][LB18] a client gets answers to its PINGs while it is catching up', async () => {
    await using instance = await startTestInstance();
    using steady = await ProfileClient.greeted(instance);
    await postMany(instance, ...numbered(200));
    const { epoch } = steady.hello;
    using back = await ProfileClient.connect(instance, resumeQuery({ epoch, s: 0 }));
    for (let count = 0; count < 20; count += 1) await back.ping();
    await back.untilEvents(200);
    expect(back.eventTexts).toEqual(steady.eventTexts);
    expect(back.ops.filter((op) => op === 'PONG')).toHaveLength(20);
  });

  const elsewhere: [how: string, query: (epoch: string) => string][] = [
    ['another epoch', () => 'epoch=none&s=2'],
    ['the epoch in capitals', (epoch) => `epoch=${epoch.toUpperCase()}A&s=2`],
    ['an empty epoch', () => 'epoch=&s=2'],
    ['a very long epoch', (epoch) => `epoch=${epoch}${'x'.repeat(5_000)}&s=2`],
    ['a position ahead of the stream', (epoch) => `epoch=${epoch}&s=4`],
    ['a position far ahead', (epoch) => `epoch=${epoch}&s=9007199254740991`],
    ['a position beyond exactness', (epoch) => `epoch=${epoch}&s=9007199254740993`],
    ['a position of many digits', (epoch) => `epoch=${epoch}&s=${'9'.repeat(400)}`],
    ['a negative position', (epoch) => `epoch=${epoch}&s=-1`],
    ['a broken position', (epoch) => `epoch=${epoch}&s=1.5`],
    ['a position that is not a number', (epoch) => `epoch=${epoch}&s=two`],
    ['an empty position', (epoch) => `epoch=${epoch}&s=`],
    ['no position', (epoch) => `epoch=${epoch}`],
    ['no epoch', () => 's=2'],
  ];

  test.each(elsewhere)(
    '[LB18][LB19] with %s gets the current position of the stream and only new events',
    async (_, query) => {
      await using instance = await startTestInstance();
      using steady = await ProfileClient.greeted(instance);
      await postMany(instance, ...numbered(3));
      const { epoch } = steady.hello;
      using back = await ProfileClient.greeted(instance, `v=1&${query(epoch)}`);
      expect(back.hello).toEqual({ ...steady.hello, s: 3, recovered: false });
      await postMessage(instance, 'live');
      await back.untilEvents(1);
      await back.ping();
      expect(back.events.map(({ s, d }) => [s, d.content])).toEqual([[4, 'live']]);
    },
  );

  test('[LB19] after a restart gets another epoch, with its own positions', async () => {
    await using folder = await tempFolder();
    const start = () => startTestInstance({ folder: folder.path });
    await using instance = await start();
    using before = await ProfileClient.greeted(instance);
    await postMany(instance, 'one', 'two');
    await before.untilEvents(2);
    const { place, lastId } = before;
    await postMany(instance, 'three');
    await instance.stop();
    await using again = await start();
    await postMany(again, 'four', 'five', 'six');
    using back = await ProfileClient.greeted(again, resumeQuery(place));
    expect(back.hello).toMatchObject({ s: 3, recovered: false });
    expect(back.hello.epoch).not.toBe(place.epoch);
    const answer = await fetch(`${again.addresses.rest}/messages?after=${lastId}`);
    const gap = messageListSchema.parse(await answer.json()).toReversed();
    expect(gap.map(({ content }) => content)).toEqual(['three', 'four', 'five', 'six']);
  });
});

describe('the events that are kept for clients that resume', () => {
  /** The oldest position from which a client can continue. */
  async function oldestPlace(instance: TestInstance, { epoch, s }: { epoch: string; s: number }) {
    let oldest = s + 1;
    for (let position = s; position >= 0; position -= 1) {
      const query = resumeQuery({ epoch, s: position });
      using back = await ProfileClient.greeted(instance, query);
      if (back.hello.recovered !== true) {
        expect(back.hello).toMatchObject({ s, recovered: false });
        continue;
      }
      expect(oldest).toBe(position + 1);
      oldest = position;
      await back.untilEvents(s - position);
      await back.ping();
      expect(back.events.map((event) => event.s)).toEqual(
        Array.from({ length: s - position }, (_, index) => position + 1 + index),
      );
    }
    return oldest;
  }

  test.each([0, 1, 3, 7])(
    '[LB18][LB20] events are bounded in number: with %d, a client that missed no more continues, and any other gets none of them',
    async (events) => {
      await using instance = await startTestInstance({ toml: keeping(`events = ${events}`) });
      using steady = await ProfileClient.greeted(instance);
      for (let head = 1; head <= 10; head += 1) {
        await postMany(instance, String(head));
        await steady.untilEvents(head);
        expect(await oldestPlace(instance, steady.place)).toBe(Math.max(0, head - events));
      }
    },
  );

  test('[LB20] events are those of the last minutes, 10 by default', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ clock });
    using steady = await ProfileClient.greeted(instance);
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 30_000) {
        clock.advance(Math.min(left, 30_000));
        await steady.ping();
      }
    };
    await postMany(instance, 'one');
    await steady.untilEvents(1);
    await pass(60_000);
    await postMany(instance, 'two');
    await steady.untilEvents(2);
    await pass(540_000);
    expect(await oldestPlace(instance, steady.place)).toBe(0);
    await pass(1_000);
    expect(await oldestPlace(instance, steady.place)).toBe(1);
    await pass(60_000);
    expect(await oldestPlace(instance, steady.place)).toBe(2);
  });

  test('[LB20] events are bounded in bytes', async () => {
    await using instance = await startTestInstance({ toml: keeping('size = "5kB"') });
    using steady = await ProfileClient.greeted(instance);
    const content = '€'.repeat(300);
    await postMany(instance, ...Array.from({ length: 6 }, () => content));
    await steady.untilEvents(6);
    const bytes = Buffer.byteLength(steady.eventTexts[0] ?? '');
    expect(await oldestPlace(instance, steady.place)).toBe(6 - Math.floor(5_000 / bytes));
    await postMany(instance, '€'.repeat(2_000));
    await steady.untilEvents(7);
    expect(await oldestPlace(instance, steady.place)).toBe(7);
  });
});
