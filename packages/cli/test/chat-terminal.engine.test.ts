import { named } from '@hearth/testing/instances/named';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { expect, test } from 'bun:test';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import {
  ChatTerminal,
  CTRL_C,
  CTRL_D,
  CTRL_L,
  CTRL_Z,
  ENTER,
  LEFT,
  pasted,
  UP,
  type ChatOptions,
} from './support/chat-terminal.ts';
import { HEARTH } from '@hearth/testing/programs/hearth-process';
import { startBusyServer } from './support/busy-server.ts';
import { besideInstance } from './support/beside-instance.ts';
import type { Home } from './support/home.ts';
import { post, said } from './support/lobby.ts';
import { get } from './support/talk.ts';
import type { TerminalView } from './support/terminal-view.ts';

const ON_TERMINAL = { isProcess: true };

let home: Home;
let addresses: TestInstance['addresses'];
/** The address of its REST service. */
let rest: string;

besideInstance((ownHome, own) => {
  home = ownHome;
  addresses = own;
  ({ rest } = own);
});

test('[OP24] a chat shows earlier messages, then new ones', async () => {
  for (let count = 1; count <= 25; count += 1) await post(rest, `before ${count}`);
  const chat = chatAs('ada');
  const { rows } = await chat.seesRow('bob: before 25');
  expect(texts(rows)).toEqual(Array.from({ length: 20 }, (_, at) => `before ${at + 6}`));
  await post(rest, 'now');
  const { rows: later } = await chat.seesRow('bob: now');
  expect(texts(later).slice(-2)).toEqual(['before 25', 'now']);
  expect(later.filter((row) => /^── \d{4}-\d\d-\d\d ──$/.test(row))).toHaveLength(1);
});

test('[OP24] Enter sends the line, and the message is shown once', async () => {
  const chat = chatAs('ada', ON_TERMINAL);
  chat.type('Hello, hearth!');
  await chat.seesPrompt('ada> Hello, hearth!|');
  chat.type(ENTER);
  await chat.seesPrompt('ada> |');
  await chat.seesRow('ada: Hello, hearth!');
  await post(rest, 'hello ada');
  const { rows } = await chat.seesRow('bob: hello ada');
  expect(rows.filter((row) => row.includes('Hello, hearth!'))).toHaveLength(1);
  expect(await said(rest)).toEqual(['ada: Hello, hearth!', 'bob: hello ada']);
});

test('[OP24] the line that is being typed stays intact while messages arrive', async () => {
  const chat = chatAs('ada', { columns: 40 });
  chat.type(`日本語 and 🔥${LEFT.repeat(3)}`);
  await chat.seesPrompt('ada> 日本語 and| 🔥'.replace('and| ', 'an|d '));
  await post(rest, `long ${'x'.repeat(100)}`);
  await post(rest, 'two\nlines');
  const { rows } = await chat.sees(
    (view) => view.rows.includes('      lines') && view.cursorRow === 'ada> 日本語 an|d 🔥',
  );
  expect(rows.at(-1)).toBe('ada> 日本語 and 🔥');
  expect(rows.filter((row) => row.startsWith('ada>'))).toHaveLength(1);
  chat.type(`X${ENTER}`);
  await chat.seesRow('ada: 日本語 anXd 🔥');
});

test('[OP24] a line that is wider than the terminal stays in one row', async () => {
  const chat = chatAs('ada', { columns: 30, ...ON_TERMINAL });
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
  chat.type(alphabet);
  await chat.seesPrompt('ada> mnopqrstuvwxyz0123456789|');
  await post(rest, 'hello');
  // The prompt is drawn after the message, perhaps in another write.
  await chat.sees(
    ({ rows }) =>
      rows.some((row) => row.endsWith('bob: hello')) &&
      rows.at(-1) === 'ada> mnopqrstuvwxyz0123456789',
  );
  chat.process.resize(20);
  await chat.seesPrompt('ada> wxyz0123456789|');
  chat.type(ENTER);
  await chat.sees(({ rows }) => rows.join('').includes(`ada: ${alphabet}`));
});

test.each([
  ['/quit', `/quit${ENTER}`],
  ['Ctrl-D', CTRL_D],
  ['Ctrl-C', CTRL_C],
  ['Ctrl-C with something typed', `hello${CTRL_C}`],
])('[OP24] %s ends a chat cleanly', async (_what, keys) => {
  const chat = chatAs('ada', { isProcess: keys === CTRL_C });
  const open = await chat.seesPrompt('ada> |');
  expect(open.marksPastes).toBe(true);
  chat.type(keys);
  expect((await chat.process.ended).exitCode).toBe(0);
  const { marksPastes, rows } = chat.view;
  expect(marksPastes).toBe(false);
  expect(rows.at(-1)).toBe('');
});

test('[OP24] Ctrl-Z suspends a chat, and fg continues it', async () => {
  const shell = home.launch({
    command: ['bash', '--norc', '-i'],
    folder: home.folder,
    env: { PS1: 'shell: ' },
    on: 'terminal',
  });
  const has = (text: string) => shell.stdout.until((written) => written.includes(text));
  shell.type(`${HEARTH.join(' ')} chat ${rest} --name ada\n`);
  await has('ada> ');
  shell.type('half');
  await has('ada> half');
  shell.type(CTRL_Z);
  await has('Stopped');
  shell.type('stty -a; fg\n');
  await has(' icanon');
  await shell.stdout.until(
    (written) => written.lastIndexOf('ada> half') > written.lastIndexOf('icanon'),
  );
  shell.type(`way${ENTER}`);
  await has('ada\u001b[0m: halfway');
  shell.type(CTRL_C);
  await shell.stdout.until((written) => written.endsWith('shell: '));
  shell.type('exit $?\n');
  expect((await shell.ended).exitCode).toBe(0);
});

test('[OP24] Ctrl-C cleanly ends a chat that was started by bun run', async () => {
  const chat = await home.script(['run', 'hearth', 'chat', rest, '--name', 'ada'], 'terminal');
  await chat.stdout.until((written) => written.includes('ada> '));
  chat.type(CTRL_C);
  expect((await chat.ended).exitCode).toBe(0);
});

test('[OP24] SIGTERM ends a chat cleanly', async () => {
  const chat = chatAs('ada', ON_TERMINAL);
  await chat.seesPrompt('ada> |');
  expect((await chat.process.stop()).exitCode).toBe(0);
  expect(chat.view.marksPastes).toBe(false);
});

test('[OP24] a chat without a name asks for one', async () => {
  const chat = new ChatTerminal(home, [rest]);
  await chat.seesPrompt('Your name: |');
  chat.type(`a${ENTER}`);
  await chat.seesRow('* a name must have 2 to 32 characters');
  chat.type(`  ada ${ENTER}`);
  await chat.seesPrompt('ada> |');
  chat.type(`hello${ENTER}`);
  await chat.seesRow('ada: hello');
});

test('[OP24] leaving at the question for a name is not a failure', async () => {
  const chat = new ChatTerminal(home, [rest]);
  await chat.seesPrompt('Your name: |');
  chat.type(CTRL_D);
  expect((await chat.process.ended).exitCode).toBe(0);
});

test('[OP24] Ctrl-L clears everything but the line that is being typed', async () => {
  await post(rest, 'before');
  const chat = chatAs('ada');
  await chat.seesRow('bob: before');
  chat.type(`half${CTRL_L}`);
  await chat.sees(({ rows }) => rows.length === 1 && rows[0] === 'ada> half');
});

test('[OP24] pasted text keeps its lines and is one message', async () => {
  const chat = chatAs('ada', ON_TERMINAL);
  await chat.seesPrompt('ada> |');
  chat.type(`see: ${pasted('if (x) {\r\n\tgo();\r}\u0003\u001b[2J\n')}`);
  await chat.seesPrompt('ada> see: if (x) {↵→go();↵}[2J↵|');
  chat.type(ENTER);
  await chat.seesRow('      }[2J');
  chat.type(`one\u001b\rtwo${ENTER}`);
  await chat.seesRow('      two');
  expect(await said(rest)).toEqual(['ada: see: if (x) {\n\tgo();\n}[2J', 'ada: one\ntwo']);
});

test('[OP24] a paste that arrives in pieces is one message too', async () => {
  const chat = chatAs('ada');
  await chat.seesPrompt('ada> |');
  const keys = pasted('one\rtwo');
  chat.type(keys.slice(0, 4));
  chat.type(keys.slice(4, 10));
  await chat.seesPrompt('ada> one↵|');
  chat.type(keys.slice(10, -3));
  await chat.seesPrompt('ada> one↵two|');
  chat.type(`${keys.slice(-3)}${ENTER}`);
  await chat.seesRow('      two');
  expect(await said(rest)).toEqual(['ada: one\ntwo']);
});

test('[OP57] Tab completes commands and names, and is a tab anywhere else', async () => {
  await post(rest, 'hello', 'Bobby');
  const chat = chatAs('ada');
  await chat.seesRow('Bobby: hello');
  chat.type('\t');
  await chat.seesPrompt('ada> →|');
  chat.type('@bo');
  await chat.seesPrompt('ada> →@bo|');
  chat.type('\t');
  await chat.seesPrompt('ada> →@bo→|');
  chat.type(`\u0015/ni`);
  await chat.seesPrompt('ada> /ni|');
  chat.type('\t');
  await chat.seesPrompt('ada> /nick |');
  chat.type(`eve${ENTER}`);
  await chat.seesPrompt('eve> |');
  chat.type('hi @bo');
  await chat.seesPrompt('eve> hi @bo|');
  chat.type('\t');
  await chat.seesPrompt('eve> hi @Bobby |');
  await post(rest, 'hello', 'Bobbin');
  await chat.seesRow('Bobbin: hello');
  chat.type('\u0015@bo');
  await chat.seesPrompt('eve> @bo|');
  for (const completed of ['@Bobb', '@Bobbin ', '@Bobby ', '@Bobbin ']) {
    chat.type('\t');
    await chat.seesPrompt(`eve> ${completed}|`);
  }
  chat.type('\u0015/');
  await chat.seesPrompt('eve> /|');
  chat.type('\t');
  await chat.seesRow('  /spoiler  /upload');
  await chat.seesPrompt('eve> /|');
});

test('[OP24] /upload shares a file', async () => {
  await home.write('a b.txt', 'shared');
  await home.write('large.bin', new Uint8Array(5_000_000));
  const chat = chatAs('ada');
  chat.type(`/upload 'a b.txt'${ENTER}`);
  const { rows } = await chat.sees((view) => view.rows.some((row) => row.includes('ada: http')));
  const address = /ada: (http\S+)/.exec(rows.join('\n'))?.[1] ?? '';
  expect(address).toStartWith(`${addresses.files}/`);
  expect(await get(address)).toEqual({ status: 200, text: 'shared' });
  chat.type(`/upload large.bin${ENTER}`);
  await chat.process.stdout.until((written) => / \(uploading: \d+ %\)> /.test(written));
  await chat.seesPrompt('ada> |');
  chat.type(`/upload nothing${ENTER}`);
  await chat.seesRow(`not uploaded (cannot read ${home.path('nothing')}: there is no such file)`);
});

test('[OP24] a line that begins with one slash is a command, and a line with two slashes is a message', async () => {
  const chat = chatAs('ada');
  chat.type(`/help${ENTER}`);
  await chat.seesRow('* /upload <file>  share a file');
  chat.type(`/shrug${ENTER}`);
  await chat.seesRow('* unknown command /shrug: see /help, or begin with // to send it as text');
  chat.type(`//shrug${ENTER}`);
  await chat.seesRow('ada: /shrug');
  expect(await said(rest)).toEqual(['ada: /shrug']);
});

test('[OP26] a hostile message cannot move the cursor, change colours or imitate another message', async () => {
  const chat = chatAs('ada', { env: { NO_COLOR: '1' } });
  await chat.seesPrompt('ada> |');
  const attacks = '\u001b[2J\u001b[31m\u009b5A\u0007\r\b\u001b]0;title\u0007\u202eevil\u2028x';
  await post(rest, `${attacks}\n99:99 ada: I never said that`, 'm\nal\u001b[1mry');
  const view = await chat.sees(
    ({ rows }) =>
      rows.at(-2)?.endsWith('99:99 ada: I never said that') === true && rows.at(-1) === 'ada>',
  );
  expect(view.hasStyles).toBe(false);
  expect(view.rows.some((row) => row.startsWith('99:99'))).toBe(false);
  expect(view.rows.slice(-5).map((row) => row.replace(/^\d\d:\d\d/, 'time'))).toEqual([
    'time m al\ufffd[1mry: \ufffd[2J\ufffd[31m\ufffd5A\ufffd',
    '      \ufffd\ufffd]0;title\ufffd\ufffdevil',
    '      x',
    '      99:99 ada: I never said that',
    'ada>',
  ]);
});

test('[OP26] colours are left out if NO_COLOR is set', async () => {
  const [plain, coloured] = ['1', ''].map((NO_COLOR) => chatAs('ada', { env: { NO_COLOR } }));
  await post(rest, 'hello');
  expect((await plain?.seesRow('bob: hello'))?.hasStyles).toBe(false);
  expect((await coloured?.seesRow('bob: hello'))?.hasStyles).toBe(true);
});

test('[OP27] on a terminal whose cursor cannot be moved, a chat prints line by line', async () => {
  const chat = new ChatTerminal(home, [rest], { env: { TERM: 'dumb' }, ...ON_TERMINAL });
  await chat.seesPrompt('Your name: |');
  chat.type('ada\n');
  chat.type('hello\n');
  await chat.seesRow('Z ada: hello');
  chat.type('/quit\n');
  expect((await chat.process.ended).exitCode).toBe(0);
  expect(chat.process.stdout.text).not.toContain('\u001b');
});

// After a kill, messages of the history may be missing.
test.each([
  ['SIGTERM', /^\* reconnected, nothing was missed$/],
  ['SIGKILL', /^\* reconnected/],
] as const)(
  '[OP25] a chat continues after its instance is ended by %s and started again',
  async (signal, news) => {
    await home.write('instance.toml', named(GENEROUS_LIMITS));
    const own = await home.start();
    await post(home.addresses.rest, 'before');
    const chat = chatAs('ada', {}, home.addresses.rest);
    await chat.seesRow('bob: before');
    chat.type('half a');
    await chat.seesPrompt('ada> half a|');
    own.signal(signal);
    await chat.sees(({ rows }) =>
      rows.some((row) => /^\* connection lost( \(.*\))?, trying again in \d+ s$/.test(row)),
    );
    await chat.seesPrompt('ada (offline)> half a|');
    await own.ended;
    await home.start();
    await post(home.addresses.rest, 'meanwhile');
    await chat.sees(({ rows }) => rows.some((row) => news.test(row)));
    chat.type(` message${ENTER}`);
    const { rows } = await chat.seesRow('ada: half a message');
    expect(texts(rows)).toEqual(['before', 'meanwhile', 'half a message']);
  },
);

test('[OP25] a chat shows a notice if messages may be missing', async () => {
  await using server = startDocumentedServer();
  const chat = chatAs('ada', {}, server.url);
  await chat.seesPrompt('ada> |');
  server.closeAll(1011, 'Server error');
  await chat.seesRow('* reconnected: messages may be missing');
  await chat.seesPrompt('ada> |');
});

test('[OP25] a message that is sent without a gateway is shown as well', async () => {
  const settings = GENEROUS_LIMITS.replace('[pandemonium]', '$&\nurl = "ws://127.0.0.1:1"');
  await using mute = await startTestInstance({ toml: settings });
  const chat = chatAs('ada', {}, mute.addresses.rest);
  await chat.sees(
    ({ rows, cursorRow }) =>
      cursorRow === 'ada (offline)> |' &&
      rows.some((row) => row.startsWith('* cannot reach the gateway, trying again in ')),
  );
  chat.type(`hello${ENTER}`);
  await chat.seesRow('ada: hello');
});

test('[OP24] on another server of the interface, a chat shows each new message once', async () => {
  await using server = startDocumentedServer();
  const chat = chatAs('ada', {}, server.url);
  await chat.seesPrompt('ada> |');
  chat.type(`hello${ENTER}`);
  await chat.seesRow('ada: hello');
  await post(server.url, 'hello ada');
  const { rows } = await chat.seesRow('bob: hello ada');
  expect(texts(rows)).toEqual(['hello', 'hello ada']);
});

test('[OP28] a message that cannot be sent is reported with its text', async () => {
  await home.write('instance.toml', named(GENEROUS_LIMITS));
  const own = await home.start();
  const chat = chatAs('ada', {}, home.addresses.rest);
  await chat.seesPrompt('ada> |');
  chat.type(`${'x'.repeat(2049)}${ENTER}`);
  await chat.sees(({ rows }) =>
    rows.some((row) => row.startsWith('* not sent (invalid content: must be text of 1 to 2048')),
  );
  own.signal('SIGKILL');
  await chat.seesPrompt('ada (offline)> |');
  chat.type(`hello${ENTER}`);
  // The client may notice only during a request that a kept connection is closed.
  await chat.sees(({ rows }) =>
    rows.some((row) =>
      [
        '* not sent (cannot reach the server: nothing listens there): hello',
        '* may not have been sent (cannot reach the server: the connection was lost): hello',
      ].includes(row),
    ),
  );
  chat.type(UP);
  await chat.seesPrompt('ada (offline)> hello|');
});

test('[OP28] messages over the rate limit wait and keep their order, and a notice shows how long', async () => {
  await using slow = await startTestInstance({
    toml: GENEROUS_LIMITS.replace(
      /message_create.*/,
      'message_create = { reset_after = 2, limit = 2 }',
    ),
  });
  const chat = chatAs('ada', {}, slow.addresses.rest);
  await chat.seesPrompt('ada> |');
  const lines = ['one', 'two', 'three', 'four', 'five'];
  for (const line of lines) chat.type(`${line}${ENTER}`);
  await chat.sees(({ rows }) =>
    rows.some((row) => /^\* rate limit reached, sending in [12] s$/.test(row)),
  );
  chat.type(CTRL_D);
  expect((await chat.process.ended).exitCode).toBe(0);
  expect(await said(slow.addresses.rest)).toEqual(lines.map((line) => `ada: ${line}`));
  expect(texts(chat.view.rows)).toEqual(lines);
});

test('[OP76] messages to a busy place wait and keep their order, and a notice says so', async () => {
  await using server = startBusyServer(2, 10);
  const chat = chatAs('ada', {}, server.url);
  await chat.seesPrompt('ada> |');
  for (const content of ['one', 'two']) chat.type(`${content}${ENTER}`);
  await chat.sees(({ rows }) =>
    rows.includes('* too much is happening there at once, trying again'),
  );
  chat.type(CTRL_D);
  expect((await chat.process.ended).exitCode).toBe(0);
  expect(server.bodies).toEqual([
    { author: 'ada', content: 'one' },
    { author: 'ada', content: 'two' },
  ]);
});

test('[ON5] the prompt shows how many are connected if others are', async () => {
  await using own = await startTestInstance();
  const chat = chatAs('ada', {}, own.addresses.rest);
  await chat.seesPrompt('ada> |');
  using _other = await ProfileClient.greeted(own);
  await chat.seesPrompt('ada (2 here)> |');
});

test('[OP28] Ctrl-C cancels the messages that wait, and reports each of them', async () => {
  await using slow = await startTestInstance({
    toml: GENEROUS_LIMITS.replace(
      /message_create.*/,
      'message_create = { reset_after = 600, limit = 1 }',
    ),
  });
  const chat = chatAs('ada', {}, slow.addresses.rest);
  chat.type(`one${ENTER}two${ENTER}/quit${ENTER}`);
  await chat.seesRow('more; Ctrl-C cancels');
  await chat.seesRow('ada: one');
  chat.type(CTRL_C);
  expect((await chat.process.ended).exitCode).toBe(0);
  await chat.seesRow('* not sent (cancelled): two');
});

function chatAs(name: string, options?: ChatOptions, url = rest): ChatTerminal {
  return new ChatTerminal(home, [url, '--name', name], options);
}

/** The messages' texts among the rows. */
function texts(rows: TerminalView['rows']): readonly string[] {
  return rows.flatMap((row) => /^\d\d:\d\d \w+: (.*)$/.exec(row)?.[1] ?? []);
}
