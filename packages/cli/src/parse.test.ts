import { expect, test } from 'bun:test';
import type { Command, Group } from './command.ts';
import { MisuseError, parse, UnknownWordError } from './parse.ts';

const command = (name: string, rest: Partial<Command> = {}): Command => ({
  kind: 'command',
  name,
  about: name,
  parameters: [],
  flags: [],
  run: () => Promise.resolve(0),
  ...rest,
});

const file = { name: 'file', about: 'a file' };
const nameFlag = { name: 'name', value: 'name', about: 'its name' };
const json = { name: 'json', about: 'as JSON' };

const root: Group = {
  kind: 'group',
  name: 'hearth',
  about: 'all',
  commands: [
    command('start'),
    command('pause', { parameters: [{ ...file, isOptional: true }] }),
    {
      kind: 'group',
      name: 'static',
      about: 'static files',
      commands: [
        command('add', { parameters: [file], flags: [nameFlag] }),
        command('list', { alias: 'ls', flags: [json] }),
      ],
    },
    command('share', {
      parameters: [file, { ...file, name: 'more', isRepeated: true }],
      flags: [{ ...nameFlag, isRequired: true }],
    }),
  ],
};

/** The outcome of a command line, in one line. */
function outcomeOf(line: string): string {
  try {
    const outcome = parse(root, line.split(' ').filter(Boolean));
    if (outcome.kind === 'version') return 'version';
    const place = ['hearth', ...outcome.place.words].join(' ');
    if (outcome.kind !== 'run') return `${outcome.kind}: ${place}`;
    const { args, flags } = outcome.invocation;
    return `run: ${place} ${JSON.stringify(args)} ${JSON.stringify(Object.fromEntries(flags))}`;
  } catch (error) {
    if (error instanceof UnknownWordError)
      return `${error.message}, not ${error.known.join(' | ')}`;
    if (error instanceof MisuseError) return `${error.place.words.join(' ')}: ${error.message}`;
    throw error;
  }
}

test.each([
  ['', 'nothing: hearth'],
  ['static', 'nothing: hearth static'],
  ['--', 'nothing: hearth'],
  ['start', 'run: hearth start [] {}'],
  ['-- start', 'run: hearth start [] {}'],
  ['start --', 'run: hearth start [] {}'],
  ['-- static list --json', 'run: hearth static list [] {"json":""}'],
  ['static list', 'run: hearth static list [] {}'],
  ['static list --json', 'run: hearth static list [] {"json":""}'],
  ['static ls --json', 'run: hearth static list [] {"json":""}'],
  ['static list --json --json', 'run: hearth static list [] {"json":""}'],
  ['static add a.png', 'run: hearth static add ["a.png"] {}'],
  ['static add -', 'run: hearth static add ["-"] {}'],
  ['static add a.png --name b', 'run: hearth static add ["a.png"] {"name":"b"}'],
  ['static add --name b a.png', 'run: hearth static add ["a.png"] {"name":"b"}'],
  ['static add --name=b=c a.png', 'run: hearth static add ["a.png"] {"name":"b=c"}'],
  ['static add --name=-b a.png', 'run: hearth static add ["a.png"] {"name":"-b"}'],
  ['static add --name b -- --name', 'run: hearth static add ["--name"] {"name":"b"}'],
  ['static add -- -- --name', 'static add: unexpected "--name"'],
  ['static add -- --', 'run: hearth static add ["--"] {}'],
  ['pause', 'run: hearth pause [] {}'],
  ['pause a', 'run: hearth pause ["a"] {}'],
  ['pause a b', 'pause: unexpected "b"'],
  ['share a b --name c', 'run: hearth share ["a","b"] {"name":"c"}'],
  ['share a b --name c d -- -e', 'run: hearth share ["a","b","d","-e"] {"name":"c"}'],
])('`hearth %s` runs the command', (line, outcome) => {
  expect(outcomeOf(line)).toBe(outcome);
});

test.each([
  ['--help', 'help: hearth'],
  ['-h', 'help: hearth'],
  ['help', 'help: hearth'],
  ['help --help', 'help: hearth'],
  ['help help', 'help: hearth'],
  ['help static', 'help: hearth static'],
  ['help static add', 'help: hearth static add'],
  ['--help static', 'help: hearth static'],
  ['static --help', 'help: hearth static'],
  ['static -h add', 'help: hearth static add'],
  ['static list -hh', 'help: hearth static list'],
  ['static list -hv', 'version'],
  ['static add --help', 'help: hearth static add'],
  ['static add a b c --help', 'help: hearth static add'],
  ['static add --help --version', 'version'],
  ['share --help', 'help: hearth share'],
  ['static ls --help', 'help: hearth static list'],
  ['--version', 'version'],
  ['-v', 'version'],
  ['static add -v', 'version'],
  ['static --version', 'version'],
  ['static add --version', 'version'],
  ['help --version', 'version'],
])('`hearth %s` asks for help or the version', (line, outcome) => {
  expect(outcomeOf(line)).toBe(outcome);
});

test.each([
  ['statc', 'unknown command "statc", not start | pause | static | share | help'],
  ['static ad', 'unknown command "static ad", not add | list | ls'],
  ['static help', 'unknown command "static help", not add | list | ls'],
  ['static start', 'unknown command "static start", not add | list | ls'],
  ['ls', 'unknown command "ls", not start | pause | static | share | help'],
  ['help statc', 'unknown command "statc", not start | pause | static | share | help'],
  ['statc --help', 'unknown command "statc", not start | pause | static | share | help'],
  ['--jso', 'unknown flag "--jso", not --help | -h | --version | -v'],
  ['--json static list', 'unknown flag "--json", not --help | -h | --version | -v'],
  ['-x start', 'unknown flag "-x", not --help | -h | --version | -v'],
  ['static list --jso', 'unknown flag "--jso", not --json | --help | -h | --version | -v'],
  ['static list --jso=1', 'unknown flag "--jso", not --json | --help | -h | --version | -v'],
  ['start --json', 'unknown flag "--json", not --help | -h | --version | -v'],
  ['static list -hx', 'unknown flag "-x", not --json | --help | -h | --version | -v'],
  ['start now', 'start: unexpected "now"'],
  ['share a --name c', 'share: missing <more>'],
  ['share a b', 'share: missing --name <name>'],
  ['static add', 'static add: missing <file>'],
  ['static add a b', 'static add: unexpected "b"'],
  ['static add a --name', 'static add: --name needs a value'],
  ['static add a --name=', 'static add: --name needs a value'],
  ['static add --name --json', 'static add: --name needs a value'],
  ['static add --name --help', 'static add: --name needs a value'],
  ['static add a --name b --name c', 'static add: --name is given twice'],
  ['static list --json=yes', 'static list: --json takes no value'],
  ['static --help=add', 'static: --help takes no value'],
])('`hearth %s` is refused', (line, mistake) => {
  expect(outcomeOf(line)).toBe(mistake);
});
