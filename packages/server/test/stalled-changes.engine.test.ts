import { RestPerson } from '@hearth/testing/clients/rest-person';
import { startMemberProcess, type MemberProcess } from '@hearth/testing/instances/member-process';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { startPostgresRelay } from '@hearth/testing/servers/postgres-relay';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;

type Request = readonly [method: string, path: string, body?: string];

describe.skipIf(areServersMissing)('a process that does not hear of changes', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });
  afterAll(() => servers[Symbol.asyncDispose]());

  test('[SC39] a process answers nothing by permissions and sessions that were taken away in another process', async () => {
    await using relay = await startPostgresRelay(servers.postgres.port);
    const environment = { ...(await servers.newInstance()), COMPONENTS: 'rest' };
    await using first = await startMemberProcess(environment, TOML);
    const through = relay.through(environment.DATABASE_URL);
    await using other = await startMemberProcess({ ...environment, DATABASE_URL: through }, TOML);
    const ask = async (at: MemberProcess, { token }: RestPerson, [method, path, body]: Request) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(at.addresses.rest + path, { method, headers, body: body ?? null }))
        .status;
    };
    const ada = await RestPerson.register(first, 'ada');
    const { id: garden, channels } = await ada.garden('garden', { visibility: 'public' });
    const people = [];
    for (const name of ['kicked', 'banned', 'stayed']) {
      const person = await RestPerson.register(other, name);
      await person.ask('PUT', `/communities/${garden}/members/me`);
      people.push(person);
    }
    await ada.ask('PATCH', `/communities/${garden}`, { visibility: 'private', join: 'invite' });
    const [kicked, banned, stayed] = people as [RestPerson, RestPerson, RestPerson];
    const ended = await RestPerson.register(first, 'ended');

    const channel: Request = ['GET', `/channels/${channels[0]?.id ?? ''}`];
    const me: Request = ['GET', '/users/me'];
    const answers = () =>
      Promise.all([
        ask(other, kicked, channel),
        ask(other, banned, channel),
        ask(other, ended, me),
        ask(other, stayed, channel),
      ]);
    expect(await answers()).toEqual([200, 200, 200, 200]);
    relay.holdChanges();
    const acts = await Promise.all([
      ask(first, ada, ['DELETE', `/communities/${garden}/members/${kicked.id ?? ''}`]),
      ask(first, ada, ['PUT', `/communities/${garden}/bans/${banned.id ?? ''}`, '{}']),
      ask(first, ended, ['DELETE', '/sessions/current']),
    ]);
    expect(acts).toEqual([200, 200, 200]);
    expect(await answers()).toEqual([404, 404, 401, 200]);
  }, 60_000);
});
