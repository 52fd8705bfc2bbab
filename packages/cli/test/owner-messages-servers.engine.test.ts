import { connect } from '@hearth/sdk';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { named } from '@hearth/testing/instances/named';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ChatTerminal } from './support/chat-terminal.ts';
import { Home } from './support/home.ts';
import { upload } from './support/talk.ts';

describe.skipIf(areServersMissing)(
  'messages that the owner removes from an instance on servers',
  () => {
    let servers: Servers;

    beforeAll(async () => {
      servers = await sharedServers();
    });

    afterAll(() => servers[Symbol.asyncDispose]());

    test('[LB24][OP11][OP49][OP50] removed messages leave its terminals and the clients of the library at once', async () => {
      await using home = await Home.make();
      await home.write('instance.toml', named(GENEROUS_LIMITS));
      const env = await servers.newInstance();
      await home.start(env);
      const { rest, files } = home.addresses;
      const { id } = await upload(files, 'spam');
      await using client = await connect(rest);
      const [messages, removed]: readonly [string[], string[]] = [[], []];
      client.on('message', (message) => void messages.push(message.id ?? ''));
      client.on('messageDelete', (message) => void removed.push(message.id));
      await client.open();
      const chat = new ChatTerminal(home, [rest, '--name', 'bob']);
      await chat.sees(({ cursorRow }) => cursorRow.startsWith('bob'));
      await client.send({ author: 'ada', content: 'good evening' });
      await client.send({ author: 'spammer', content: `buy ${files}/${id}` });
      await chat.sees(({ rows }) => rows.some((row) => row.includes('spammer: buy')));
      await until(async () => messages.length === 2);

      const words = ['messages', 'remove', '--author', 'spammer', '--with-files', '--yes'];
      expect(await home.run(words, env)).toEqual({
        exitCode: 0,
        stdout: 'Removed 1 message and 1 file\n',
        stderr: '',
      });
      expect((await fetch(`${files}/${id}`)).status).toBe(404);
      const { rows } = await chat.seesRow('was removed');
      expect(rows.filter((row) => row.includes('buy'))).toEqual([]);
      await until(async () => removed.length === 1);
      expect(removed).toEqual(messages.slice(1));
    });
  },
);
