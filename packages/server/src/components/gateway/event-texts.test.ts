import { expect, test } from 'bun:test';
import { DISCONNECT_REASONS, parseId, type DisconnectReason } from '@hearth/protocol';
import { profileEventSchema, serverEventSchema } from '@hearth/protocol/schemas';
import type { EventDelivery } from '../../ports/bus/bus.ts';
import {
  disconnectText,
  documentedText,
  helloText,
  PONG,
  profileText,
  streamText,
} from './event-texts.ts';

function delivery(nonce?: string): EventDelivery {
  const id = parseId('2680231098724220450352726016');
  if (id === undefined) throw new Error('no id');
  const message = { id, author: 'ada', content: '"good" evening 👋\u0000', created_at: 17 };
  const d = nonce === undefined ? message : { ...message, nonce };
  return { stream: 'lobby', epoch: 'E', position: 7, event: { op: 'MESSAGE_CREATE', d } };
}

const CONTENT = '"content":"\\"good\\" evening 👋\\u0000"';

test('[LB14] the documented gateway sends author and content and nothing else', () => {
  const text = `{"op":"MESSAGE_CREATE","d":{"author":"ada",${CONTENT}}}`;
  expect(documentedText(delivery().event)).toBe(text);
  expect(documentedText(delivery('mine').event)).toBe(text);
  expect(PONG).toBe('{"op":"PONG"}');
  for (const each of [text, PONG]) serverEventSchema.parse(JSON.parse(each));
});

test('[LB16][LB17] profile 1 sends the position, the message as in the history, and the nonce if there is one', () => {
  const d = `"id":"2680231098724220450352726016","author":"ada",${CONTENT},"created_at":17`;
  expect(profileText(delivery())).toBe(`{"op":"MESSAGE_CREATE","s":7,"d":{${d}}}`);
  expect(profileText(delivery(''))).toBe(`{"op":"MESSAGE_CREATE","s":7,"d":{${d},"nonce":""}}`);
  expect(profileText(delivery('n'))).toBe(`{"op":"MESSAGE_CREATE","s":7,"d":{${d},"nonce":"n"}}`);
  for (const nonce of [undefined, '', 'n'])
    profileEventSchema.parse(JSON.parse(profileText(delivery(nonce))));
});

test('[ST11] no client is sent the note of an event', () => {
  const event = { op: 'POST_CREATE', d: { id: '1' }, note: { names: ['7'], hides: ['8'] } };
  const noted = { stream: 'c:1', epoch: 'E', position: 7, event };
  expect(streamText(noted)).toBe('{"op":"POST_CREATE","t":"c:1","s":7,"d":{"id":"1"}}');
  expect(profileText(noted)).toBe('{"op":"POST_CREATE","s":7,"d":{"id":"1"}}');
});

test.each([true, false, null])(
  '[LB15] HELLO says recovered: %p in the form of the protocol',
  (how) => {
    const text = helloText({ epoch: 'E', position: 7 }, how);
    expect(text).toBe(
      `{"op":"HELLO","d":{"v":1,"heartbeat_interval":45000,"epoch":"E","s":7,"recovered":${how}}}`,
    );
    profileEventSchema.parse(JSON.parse(text));
  },
);

test('[LB22][MO8] DISCONNECT names each reason, and whether to reconnect, in the form of the protocol', () => {
  for (const reason of Object.keys(DISCONNECT_REASONS) as DisconnectReason[]) {
    const text = disconnectText(reason, { retryAfterMs: 1_234, ban: undefined });
    const reconnect = !['banned', 'access_code', 'unauthorized'].includes(reason);
    expect(text).toBe(
      `{"op":"DISCONNECT","d":{"reason":"${reason}","reconnect":${reconnect},"retry_after":1234}}`,
    );
    profileEventSchema.parse(JSON.parse(text));
  }
});
