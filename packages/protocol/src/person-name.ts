import { drawsNothing } from './drawn.ts';

/** The names of a person. */
export interface NamedPerson {
  readonly username: string;
  readonly display_name?: string | undefined;
}

/**
 * Names a person, in every place that does: in a community by the nickname that they have there, otherwise by the name
 * that they have chosen, or by the username. A name from before that draws nothing does not count.
 *
 * @example personName({ username: 'ada', display_name: 'Ada Lovelace' }) // 'Ada Lovelace'
 */
export function personName(
  { username, display_name: name }: NamedPerson,
  nickname?: string,
): string {
  return [nickname, name].find((each) => each !== undefined && !drawsNothing(each)) ?? username;
}
