import { expect, test } from 'bun:test';
import type { Command, Group } from './command.ts';
import { helpText, usageLine } from './usage.ts';

const add: Command = {
  kind: 'command',
  name: 'add',
  about: 'Add a static file',
  parameters: [{ name: 'file', about: 'File to add' }],
  flags: [{ name: 'name', value: 'name', about: 'Name to serve it by' }],
  details: () => 'And so on.\n\n',
  run: () => Promise.resolve(0),
};
const statics: Group = { kind: 'group', name: 'static', about: 'Static files', commands: [add] };
const root: Group = { kind: 'group', name: 'hearth', about: 'Runs Hearth', commands: [statics] };

test('a usage line shows the parameters and flags', () => {
  expect(usageLine({ words: ['static', 'add'], node: add })).toBe(
    'usage: hearth static add <file> [--name <name>]',
  );
  expect(usageLine({ words: ['static'], node: statics })).toBe('usage: hearth static <command>');
});

test('a usage line shows which parameter is optional', () => {
  const parameters = [{ name: 'id', about: '', isOptional: true as const }];
  expect(usageLine({ words: ['remove'], node: { ...add, parameters, flags: [] } })).toBe(
    'usage: hearth remove [<id>]',
  );
});

test('a usage line shows which parameter may be repeated and which flags are required', () => {
  const parameters = [
    ...add.parameters,
    { name: 'more', about: 'More', isRepeated: true as const },
  ];
  const flags = [
    { name: 'json', about: '' },
    ...add.flags.map((flag) => ({ ...flag, isRequired: true as const })),
  ];
  expect(usageLine({ words: ['add'], node: { ...add, parameters, flags } })).toBe(
    'usage: hearth add <file> <more>… [--json] --name <name>',
  );
});

test('the help of a command explains its parameters and flags, then its details', () => {
  expect(helpText({ words: ['static', 'add'], node: add })).toBe(
    `Add a static file.

usage: hearth static add <file> [--name <name>]

  <file>         File to add
  --name <name>  Name to serve it by
  -h, --help     Print this help
  -v, --version  Print the version

And so on.
`,
  );
});

test('the help of the program lists every command in full', () => {
  expect(helpText({ words: [], node: root })).toBe(
    `Runs Hearth.

usage: hearth <command>

  static add <file> [--name <name>]  Add a static file
  help [command]                     Print the help of a command
  -h, --help                         Print this help
  -v, --version                      Print the version
`,
  );
});

test('the help of a group lists its commands', () => {
  expect(helpText({ words: ['static'], node: statics })).toContain(
    '  static add <file> [--name <name>]  Add a static file\n  -h, --help ',
  );
});

test('a list of commands abbreviates several flags as [flags]', () => {
  const json = { name: 'json', about: 'As JSON' };
  const long = { ...statics, commands: [{ ...add, flags: [...add.flags, json] }] };
  expect(helpText({ words: ['static'], node: long })).toContain(
    '  static add <file> [flags]  Add a static file\n',
  );
});

test('[OP46] the help of a command and the help of its group show its alias', () => {
  const aliased = { ...add, alias: 'a' };
  expect(helpText({ words: ['static', 'add'], node: aliased })).toStartWith(
    'Add a static file (alias: a).\n',
  );
  expect(helpText({ words: ['static'], node: { ...statics, commands: [aliased] } })).toContain(
    '  static add <file> [--name <name>]  Add a static file (alias: a)\n',
  );
});

test('the help of a group ends with its details', () => {
  const detailed = { ...statics, details: () => 'More.' };
  expect(helpText({ words: ['static'], node: detailed })).toEndWith('Print the version\n\nMore.\n');
});
