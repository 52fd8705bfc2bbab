import type { Command, Group, Place } from '../../src/command.ts';
import { COMMANDS as ROOT } from '../../src/commands.ts';

/** Every command and group; the first is the program itself. */
export const PLACES = placesIn({ words: [], node: ROOT });

/** Every command and group, in the words that a user types. */
export const COMMANDS = PLACES.map(typed);

/** The groups of commands, in the words that a user types; the first is the program itself. */
export const GROUPS = PLACES.filter(({ node }) => node.kind === 'group').map(typed);

/** The groups that have a command of this name. */
export function groupsWith(name: string): readonly string[] {
  return commandsNamed(name).map(({ words }) => words.slice(0, -1).join(' '));
}

/** The owner's commands of these names, such as `remove`. */
export function commandsNamed(...names: readonly string[]): readonly Place<Command>[] {
  return PLACES.filter(isCommand).filter(({ node }) => names.includes(node.name));
}

/** The words of a command line, without the program's name. */
export function typed({ words }: Place): string {
  return words.join(' ');
}

function isCommand(place: Place): place is Place<Command> {
  return place.node.kind === 'command';
}

function placesIn(place: Place): readonly Place[] {
  const { words, node } = place;
  if (node.kind === 'command') return [place];
  return [
    place,
    ...node.commands.flatMap((each: Command | Group) =>
      placesIn({ words: [...words, each.name], node: each }),
    ),
  ];
}
