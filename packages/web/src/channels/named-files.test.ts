import { signal } from '@preact/signals';
import { connect, memoryTokens, parseId } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { signalUntil } from '../../test/support/signal-until.ts';
import { unreachableParts } from '../../test/support/unreachable-parts.ts';
import { Attachments } from '../conversation/attachments/attachments.ts';
import { createLobby } from '../lobby/create-lobby.ts';
import { createChannel } from './create-channel.ts';

/** One white pixel. */
const PIXEL = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
);

test('[WC94][WC94a] a picture of a message is shown also if another message of a channel has its address alone', async () => {
  await using instance = await startTestInstance({
    toml: `registration = "open"\n${GENEROUS_LIMITS}`,
  });
  await using ada = await connect(instance.addresses.rest, { tokens: memoryTokens() });
  const password = 'correct horse battery';
  await ada.register({ username: 'ada', email: 'ada@example.org', password });
  const made = { name: 'Garden', slug: 'garden', kind: 'both', visibility: 'public' } as const;
  const { channels } = await ada.communities.create(made);
  const { id: place = expect.unreachable() } = channels[0] ?? {};
  const { id: text, key } = await ada.files.upload(new File([PIXEL], 'a.png'));
  const id = parseId(text) ?? expect.unreachable();
  const address = ada.files.url(id, { key });
  const channel = ada.channel(place);
  await channel.send({ content: '', attachments: [{ id }] });
  const named = await channel.send({ content: `${address}\nlook\n${address}` });
  const missing = ada.files.url('31', { key: '0'.repeat(32) });
  // A message of the lobby that lacks the key says nothing of those that have it.
  for (const content of [ada.files.url(id), missing]) await ada.send({ author: 'ada', content });

  const parts = unreachableParts(ada, new MemoryStorage());
  using ownNonces = parts.ownNonces;
  using attachments = new Attachments(ada, [instance.addresses.files]);
  const shared = { ...parts, ownNonces, attachments };
  using lobby = createLobby(shared);
  const own = signal(undefined);
  const slug = () => 'garden';
  using garden = createChannel({ slug, id: place, name: 'a', own, onClosed() {} }, shared);
  for (const { messages } of [garden, lobby]) {
    messages.start();
    await signalUntil(messages.entries, ({ length }) => length === 2);
  }
  for (const entry of garden.messages.entries.value) {
    expect(entry.kind === 'message' && attachments.split(entry.content).ids).toEqual([id]);
  }
  expect(attachments.isMissing('31')).toBe(true);
  expect(attachments.isMissing(id)).toBe(false);
  const data = await signalUntil(attachments.data(id), ({ state }) => state !== 'loading');
  expect(data).toMatchObject({ state: 'ready', data: { id, key } });
  // An edit takes only the lines of attached files for such.
  const changed = await garden.source.changeMessage({ id: named.id, content: `See\n${address}` });
  expect(changed.content).toBe(`See\n${address}`);
});
