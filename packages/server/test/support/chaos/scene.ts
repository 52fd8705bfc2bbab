import type { Id } from '@hearth/protocol';
import type { Choices } from './choices.ts';
import type { Person } from './person.ts';
import type { Snapshot } from './snapshot.ts';

/** The people in the community, and its parts that never go. */
export interface Scene {
  readonly community: Id;
  /** The person who has made the community, and is its owner until it is handed over. */
  readonly founder: Person;
  /** May kick, time out, pin and delete messages. */
  readonly moderator: Person;
  /** People who join and leave. */
  readonly others: readonly Person[];
  /** Somebody without an account. */
  readonly guest: Person;
  /** The role of the moderator. */
  readonly moderators: Id;
  readonly category: Id;
  /** The code of an invite that does not expire. */
  readonly invite: string;
}

/** A request that changes who may see or do what. */
export interface Act {
  readonly by: Person;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Whose messages it removes. */
  readonly removes?: Person;
}

export interface Choosing {
  readonly scene: Scene;
  readonly snapshot: Snapshot;
  readonly choices: Choices;
}

/** Everybody with an account, in the community or outside. */
export function peopleOf({ founder, moderator, others }: Scene): readonly Person[] {
  return [founder, moderator, ...others];
}

/** Returns the owner of the community. */
export function ownerIn({ scene, snapshot }: Pick<Choosing, 'scene' | 'snapshot'>): Person {
  const owner = peopleOf(scene).find(({ id }) => id === snapshot.owner);
  if (owner === undefined) throw new Error('somebody else owns the community');
  return owner;
}
