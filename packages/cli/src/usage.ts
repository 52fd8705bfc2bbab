import {
  flagUsage,
  HELP_WORD,
  STANDARD_FLAGS,
  type Command,
  type Flag,
  type Group,
  type Parameter,
  type Place,
} from './command.ts';
import { alignColumns } from './text.ts';

const PROGRAM = 'hearth';

/** The usage of a command or a group, in one line. */
export function usageLine({ words, node }: Place): string {
  return ['usage:', PROGRAM, ...words, ...usageOf(node)].join(' ');
}

/** The help of a command or a group. */
export function helpText(place: Place): string {
  const { node } = place;
  const rows = node.kind === 'command' ? commandRows(node) : groupRows(place.words, node);
  const flags = STANDARD_FLAGS.map((flag) => [flagUsage(flag), flag.about]);
  const blocks = [`${aboutOf(node)}.`, usageLine(place), indented([...rows, ...flags])];
  const details = node.details?.();
  return `${[...blocks, ...(details === undefined ? [] : [details.trimEnd()])].join('\n\n')}\n`;
}

function aboutOf(node: Command | Group): string {
  const alias = node.kind === 'command' ? node.alias : undefined;
  return alias === undefined ? node.about : `${node.about} (alias: ${alias})`;
}

function usageOf(node: Command | Group): readonly string[] {
  if (node.kind === 'group') return ['<command>'];
  return [...node.parameters.map(parameterUsage), ...node.flags.map(optionalUsage)];
}

// Several flags would make a list of commands wider than a terminal; the command's own help lists them.
function briefUsageOf(command: Command): readonly string[] {
  if (command.flags.length <= 1) return usageOf(command);
  return [...usageOf({ ...command, flags: [] }), '[flags]'];
}

function optionalUsage(flag: Flag): string {
  return flag.isRequired === true ? flagUsage(flag) : `[${flagUsage(flag)}]`;
}

function parameterUsage({ name, isOptional, isRepeated }: Parameter): string {
  const usage = isRepeated === true ? `<${name}>…` : `<${name}>`;
  return isOptional === true ? `[${usage}]` : usage;
}

function commandRows({ parameters, flags }: Command): readonly (readonly string[])[] {
  return [
    ...parameters.map((parameter) => [parameterUsage(parameter), parameter.about]),
    ...flags.map((flag) => [flagUsage(flag), flag.about]),
  ];
}

function groupRows(words: readonly string[], group: Group): readonly (readonly string[])[] {
  const help = [`${HELP_WORD} [command]`, 'Print the help of a command'];
  return words.length === 0 ? [...leafRows([], group), help] : leafRows(words, group);
}

function leafRows(words: readonly string[], { commands }: Group): readonly (readonly string[])[] {
  return commands.flatMap((node) => {
    const path = [...words, node.name];
    return node.kind === 'group'
      ? leafRows(path, node)
      : [[[...path, ...briefUsageOf(node)].join(' '), aboutOf(node)]];
  });
}

function indented(rows: readonly (readonly string[])[]): string {
  return alignColumns(rows)
    .map((line) => `  ${line}`)
    .join('\n');
}
