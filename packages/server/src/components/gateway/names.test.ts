import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import type { Delivery, EventDelivery } from '../../ports/bus/bus.ts';
import { hiddenBy, namesIn } from './names.ts';
import { Replay, type ReplayBuffer } from './replay-buffer.ts';

const BOUNDS = { events: 100, minutes: 10, bytes: 100_000 };
const id = (text: string): Id => parseId(text) ?? expect.unreachable();

/** The kept events of several streams, as a gateway keeps them. */
function kept() {
  const replay = new Replay(BOUNDS, { monotonicMs: () => 0 });
  const buffers = new Map<string, ReplayBuffer>();
  const bufferOf = (stream: string) =>
    buffers.getOrInsertComputed(stream, () => replay.open({ epoch: 'E', position: 0 }));
  return {
    send(stream: string, op: string, d: object) {
      const buffer = bufferOf(stream);
      const position = buffer.head.position + 1;
      const delivery: EventDelivery = { stream, epoch: 'E', position, event: { op, d } };
      for (const name of hiddenBy(delivery)) replay.forgetNaming(name);
      buffer.push(delivery, op, { bytes: 1, names: namesIn(delivery) });
    },
    end(delivery: Delivery) {
      for (const name of hiddenBy(delivery)) replay.forgetNaming(name);
    },
    /** The first place of a stream that can be continued. */
    firstPlace: (stream: string) => {
      const buffer = bufferOf(stream);
      const places = Array.from({ length: buffer.head.position + 1 }, (_, position) => position);
      return places.find((position) => buffer.hasAllAfter({ epoch: 'E', position }));
    },
  };
}

test('[CO29] kept events that name a channel go with everything before them when it is removed, in every stream', () => {
  const events = kept();
  for (const stream of ['c:1', 'r:2', 'c:9']) {
    events.send(stream, 'MESSAGE_CREATE', { id: '10', channel_id: '5' });
    events.send(stream, 'MESSAGE_CREATE', { id: '11', mention_channels: ['7'] });
    events.send(stream, 'MESSAGE_CREATE', { id: '12', mention_channels: ['8'] });
  }
  events.send('c:1', 'CHANNEL_DELETE', { id: '7', community_id: '1' });
  expect(['c:1', 'r:2', 'c:9'].map(events.firstPlace)).toEqual([2, 2, 2]);
  events.send('c:1', 'CHANNEL_DELETE', { id: '6', community_id: '1' });
  expect(events.firstPlace('c:9')).toBe(2);
});

test('[CO29] so do those that name posts, which may be in the channel, but not cards of other communities', () => {
  const events = kept();
  for (const stream of ['c:1', 'r:2', 'c:9']) {
    events.send(stream, 'MESSAGE_CREATE', { id: '10', kind: 'post', post_id: '20' });
  }
  events.send('c:9', 'MESSAGE_CREATE', { id: '11' });
  events.send('c:8', 'MESSAGE_CREATE', { id: '12', mention_posts: [{ id: '21', title: 'A' }] });
  events.send('u:3', 'NOTIFICATION_CREATE', { id: '13', post_id: '20' });
  const unless = { community: id('1'), owner: id('3'), roles: [], levels: [] };
  events.end({ stream: 'c:1', end: { user: id('3') } });
  expect(events.firstPlace('c:1')).toBe(0);
  events.end({ stream: 'r:5', end: { unless } });
  expect(['c:1', 'r:2', 'c:8', 'c:9', 'u:3'].map(events.firstPlace)).toEqual([1, 1, 1, 0, 0]);
  events.send('c:9', 'POST_DELETE', { id: '20', channel_id: '4' });
  expect(events.firstPlace('c:9')).toBe(1);
});
