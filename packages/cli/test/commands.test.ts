import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ROOT, type Ending } from '@hearth/testing/programs/hearth-process';
import { COMMANDS, GROUPS, groupsWith } from './support/every-command.ts';
import { Home } from './support/home.ts';

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

const run = (line: string): Promise<Ending> => home.runHere(line.split(' ').filter(Boolean));

test('every command is tested', () => {
  expect(COMMANDS).toEqual(
    expect.arrayContaining(['', 'start', 'static add', 'attachments', 'migrate', 'chat']),
  );
  expect(groupsWith('remove')).toEqual(expect.arrayContaining(['static', 'messages']));
});

test.each(['static add -h', 'help static add', 'static add one two --help', '-h static add'])(
  '[OP9] hearth %s shows the same help as --help',
  async (line) => {
    expect(await run(line)).toEqual(await run('static add --help'));
  },
);

test('[OP9] --version works on every command and exits with 0', async () => {
  const { version } = await Bun.file(join(ROOT, 'package.json')).json();
  const endings = await Promise.all(COMMANDS.map((command) => run(`${command} --version`)));
  for (const ending of endings) {
    expect(ending).toEqual({ exitCode: 0, stdout: `hearth ${version}\n`, stderr: '' });
  }
  expect(await home.names()).toEqual([]);
});

test('[OP9] -v prints the version on every command, as --version does', async () => {
  const endings = await Promise.all(COMMANDS.map((command) => run(`${command} -v`)));
  const version = await run('--version');
  for (const ending of endings) expect(ending).toEqual(version);
});

test.each(groupsWith('list'))('[OP46] %s has the alias ls for list', async (group) => {
  expect((await run(`${group} ls --help`)).stdout).toContain(`usage: hearth ${group} list`);
  expect(await run(`${group} ls`)).toEqual(await run(`${group} list`));
});

test.each(groupsWith('remove'))('[OP46] %s has the alias rm for remove', async (group) => {
  expect((await run(`${group} rm --help`)).stdout).toContain(`usage: hearth ${group} remove`);
  expect(await run(`${group} rm 1`)).toEqual(await run(`${group} remove 1`));
});

test('[OP9] --help and --version work even if the configuration has mistakes', async () => {
  await home.write('instance.toml', 'this is no TOML');
  const env = { OPRISH_PORT: 'nonsense', INSTANCE_CONF: 'nowhere.toml' };
  for (const flag of ['--help', '--version']) {
    expect(await home.runHere(['start', flag], env)).toMatchObject({ exitCode: 0, stderr: '' });
  }
});

test('[OP9] the help of the program lists all commands', async () => {
  const { stdout } = await run('--help');
  const isGroup = (command: string) => COMMANDS.some((each) => each.startsWith(`${command} `));
  for (const command of COMMANDS.slice(1).filter((each) => !isGroup(each))) {
    expect(stdout).toMatch(new RegExp(`^ +${command}\\b.* {2,}\\S`, 'm'));
  }
});

test.each([
  ['strat', 'command "strat"', 'start'],
  ['static rmm x', 'command "static rmm"', 'static rm'],
  ['attachment list', 'command "attachment"', 'attachments'],
  ['message list', 'command "message"', 'messages'],
  ['messages list --befor 5', 'flag "--befor"', '--before'],
  ['static ad x', 'command "static ad"', 'static add'],
  ['static remov x', 'command "static remov"', 'static remove'],
  ['--hepl', 'flag "--hepl"', '--help'],
  ['static add x --nam=y', 'flag "--nam"', '--name'],
  ['static list --jsn', 'flag "--jsn"', '--json'],
  ['static list --josn', 'flag "--josn"', '--json'],
])(
  '[OP10] hearth %s is refused with a suggestion: the nearest command or flag',
  async (line, unknown, nearest) => {
    const { exitCode, stdout, stderr } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^hearth: unknown [^\n]+; did you mean "[^\n"]+"\?\n$/);
    expect(stderr).toContain(`unknown ${unknown};`);
    expect(stderr).toContain(`did you mean "${nearest}"?`);
    expect(await home.names()).toEqual([]);
  },
);

test.each([
  ['frobnicate', 'command "frobnicate"', 'hearth --help'],
  ['ls', 'command "ls"', 'hearth --help'],
  ['static messages', 'command "static messages"', 'hearth static --help'],
  ['static start', 'command "static start"', 'hearth static --help'],
  ['start --josn', 'flag "--josn"', 'hearth start --help'],
  ['static list --limit 5', 'flag "--limit"', 'hearth static list --help'],
  ['messages rm 1 -x', 'flag "-x"', 'hearth messages remove --help'],
])(
  '[OP10] hearth %s resembles no command or flag, so the error names the help to read',
  async (line, unknown, help) => {
    const stderr = `hearth: unknown ${unknown}; see ${help}\n`;
    expect(await run(line)).toEqual({ exitCode: 2, stdout: '', stderr });
  },
);

test.each(['static add', 'static add a b', 'static remove', 'start now', 'static add a --name'])(
  'hearth %s is refused with the reason, the usage and exit code 2',
  async (line) => {
    const { exitCode, stdout, stderr } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^hearth: [^\n]+\nusage: hearth [^\n]+\n$/);
  },
);

test.each(GROUPS)(
  'hearth %s without a command prints its help on standard error and exits with 2',
  async (line) => {
    const { exitCode, stdout, stderr } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe((await run(`${line} --help`)).stdout);
  },
);
