import type { LobbyMode, RegistrationMode } from '@hearth/protocol';
import { stringify } from 'smol-toml';
import { ENVIRONMENT_OPTIONS } from './environment-options.ts';
import { INSTANCE_OPTIONS } from './instance-options.ts';
import type { Option, OptionTree, Section } from './option.ts';

const WIDTH = 100;
const HELP_WIDTH = 80;

const INSTANCE_PREFACE =
  'How this instance behaves. Every key except instance_name can be left out; the default that is shown then applies. ' +
  'Remove the # before a key to change it, and restart.';

const ENVIRONMENT_PREFACE =
  'How this instance is deployed. Copy this file to .env, or set these variables in the environment. ' +
  'Every variable can be left out; the default that is shown then applies.';

/** Settings that an owner is asked for at the first start, by the keys of the instance file. */
export interface FirstSettings {
  readonly registration: RegistrationMode;
  readonly community_invites_register: boolean;
  readonly lobby: LobbyMode;
}

/** The text of an instance file that contains every option, and sets those that are required or were chosen. */
export function exampleInstanceFile(chosen: Partial<FirstSettings> = {}): string {
  const blocks = [comment(INSTANCE_PREFACE), ...tomlBlocks(INSTANCE_OPTIONS, [])];
  return Object.entries(chosen).reduce(
    (text, [key, value]) =>
      text.replace(new RegExp(`^# ${key} = .*$`, 'm'), `${key} = ${JSON.stringify(value)}`),
    `${blocks.join('\n\n')}\n`,
  );
}

/** The text of a .env file that contains every variable and sets none. */
export function exampleEnvironmentFile(): string {
  const blocks = Object.entries(ENVIRONMENT_OPTIONS).map(
    ([name, node]) => `${comment(sentence(node))}\n# ${name}=${node.example}`,
  );
  return `${[comment(ENVIRONMENT_PREFACE), ...blocks].join('\n\n')}\n`;
}

/** The environment variables as a plain-text table of {@link HELP_WIDTH} columns, for a command's help. */
export function environmentHelp(): string {
  const names = Object.keys(ENVIRONMENT_OPTIONS);
  const indent = Math.max(...names.map((name) => name.length)) + 4;
  const rows = Object.entries(ENVIRONMENT_OPTIONS).flatMap(([name, node]) => {
    const fallback = node.fallbackName ?? node.example;
    const lines = wrap(`${node.about} (default: ${fallback})`, HELP_WIDTH - indent);
    return lines.map((line, index) => (index === 0 ? `  ${name}` : '').padEnd(indent) + line);
  });
  return `${rows.join('\n')}\n`;
}

// In TOML, a table's own keys come before the tables within it.
function tomlBlocks(tree: OptionTree, path: readonly string[]): readonly string[] {
  const nodes = Object.entries(tree);
  const keys = nodes.flatMap(([name, node]) =>
    node.kind === 'option' ? [tomlKey(name, node)] : [],
  );
  const sections = nodes.flatMap(([name, node]) =>
    node.kind === 'section' ? tomlSection([...path, name], node) : [],
  );
  return [...keys, ...sections];
}

function tomlSection(
  path: readonly string[],
  { about, options }: Section<OptionTree>,
): readonly string[] {
  const holdsKeys = Object.values(options).some((node) => node.kind === 'option');
  const title = comment(`${about}.`);
  const header = holdsKeys ? `${title}\n[${path.join('.')}]` : title;
  return [header, ...tomlBlocks(options, path)];
}

function tomlKey(name: string, node: Option<unknown>): string {
  const line = stringify({ [name]: node.example }).trim();
  return `${comment(sentence(node))}\n${node.isRequired ? line : `# ${line}`}`;
}

function sentence({ about, type, fallbackName }: Option<unknown>): string {
  const fallback = fallbackName === undefined ? '' : ` Default: ${fallbackName}.`;
  return `${about} (${type.expected}).${fallback}`;
}

function comment(text: string): string {
  return wrap(text, WIDTH - 2)
    .map((line) => `# ${line}`)
    .join('\n');
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
