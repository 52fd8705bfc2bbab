import type { Id } from '@hearth/protocol';

export interface Mentions {
  readonly users?: readonly Id[];
  readonly roles?: readonly Id[];
  readonly channels?: readonly Id[];
  /** The posts whose addresses are in the text. */
  readonly posts?: readonly Id[];
  /** True if it mentions everyone who sees the channel. */
  readonly all?: true;
}

/** Matches what a text has that mentions anything. */
const MENTIONING = /[@#]|\/p\//;

/** Returns whether a text may mention anything. */
export function mayMention(content: string): boolean {
  return MENTIONING.test(content);
}

/** Mentions of a row. */
export function storedMentions(text: string): Mentions {
  // Guarantee: what is stored was made by the function below.
  return text === '' ? {} : (JSON.parse(text) as Mentions);
}

/** Mentions as they are stored. */
export function mentionsText(mentions: Mentions): string {
  return Object.keys(mentions).length === 0 ? '' : JSON.stringify(mentions);
}

/**
 * Returns the subjects for which the mentions of a message are counted: users, roles, and the everyone role for all.
 */
export function subjectsOf({ users = [], roles = [], all }: Mentions, communityId: Id): Set<Id> {
  return new Set([...users, ...roles, ...(all === true ? [communityId] : [])]);
}
