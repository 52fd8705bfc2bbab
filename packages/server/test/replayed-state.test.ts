import { channelMessageSchema, channelSchema, ownCommunitySchema } from '@hearth/protocol/schemas';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { expect, test } from 'bun:test';
import { z } from 'zod';

const anything = z.unknown();
const changedSchema = z.object({
  op: z.string(),
  t: z.string().regex(/^[ucr]:/),
  d: z.object({
    id: z.string(),
    version: z.number(),
    content: z.string().optional(),
    name: z.string().optional(),
    display_name: z.string().optional(),
  }),
});

test('[ST12][ST12a] an event that is sent again has its object as it is by then, in the streams of users, communities and channels', async () => {
  await using instance = await startTestInstance({
    toml: `registration = "open"\n${GENEROUS_LIMITS}`,
  });
  const ada = await RestPerson.register(instance, 'ada');
  const bob = await RestPerson.register(instance, 'bob');
  const garden = await ada.garden('garden', { visibility: 'public' });
  const at = `/communities/${garden.id}`;
  await bob.ok(ownCommunitySchema, 'PUT', `${at}/members/me`);
  const make = (name: string, overwrites: readonly object[]) =>
    ada.ok(channelSchema, 'POST', `${at}/channels`, { kind: 'messages', name, overwrites });
  const open = await make('open', []);
  const closed = await make('closed', [
    { id: garden.id, kind: 'role', allow: [], deny: ['VIEW'] },
    { id: bob.id, kind: 'member', allow: ['VIEW'], deny: [] },
  ]);
  const first = await AccountClient.enter(instance, { token: bob.token });
  const [resume = {}] = first.payloads.flatMap((payload) =>
    payload.op === 'READY' ? [payload.d.streams] : [],
  );
  first[Symbol.dispose]();

  for (const { id } of [open, closed]) {
    const messages = `/channels/${id}/messages`;
    const posted = await ada.ok(channelMessageSchema, 'POST', messages, { content: 'before' });
    await ada.ok(anything, 'PATCH', `${messages}/${posted.id}`, { content: 'after' });
    for (const name of ['before', 'after']) {
      await ada.ok(anything, 'PATCH', `/channels/${id}`, { name });
    }
  }
  for (const name of ['before', 'after']) {
    await bob.ok(anything, 'PATCH', '/users/me', { display_name: name });
  }
  using later = await AccountClient.enter(instance, { token: bob.token, resume });
  const changes = () => later.payloads.flatMap((each) => changedSchema.safeParse(each).data ?? []);
  await later.raw.until(() => changes().length === 10);
  const events = (op: string) =>
    changes()
      .filter((each) => each.op === op)
      .map(({ t, d }) => [t.slice(0, 1), d.content ?? d.display_name ?? d.name, d.version]);
  expect(events('MESSAGE_CREATE').toSorted()).toEqual([
    ['c', 'after', 2],
    ['r', 'after', 2],
  ]);
  for (const op of ['MESSAGE_UPDATE', 'CHANNEL_UPDATE', 'USER_UPDATE']) {
    for (const [, name] of events(op)) expect(name).toBe('after');
  }
  expect(changes().filter(({ op }) => op === 'CHANNEL_UPDATE')).toHaveLength(4);
  expect(changes().filter(({ op }) => op === 'USER_UPDATE')).toHaveLength(2);
});
