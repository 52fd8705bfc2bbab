import type { Id, UserSummary } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction, Outcome as Refusal } from '../../../ports/outbox/outbox.ts';
import type { KeepsActivity } from '../../communities/communities/communities.ts';
import type { KeepsUnsentNotifications } from '../notifications/notifications.ts';
import type { IndexedKind } from '../index-queue/index-queue.ts';
import type { Mentions } from '../mentions/mentions.ts';
import type { PlaceAccess, Turning } from '../places/places.ts';

/** The context that it takes to say something in a place. */
export interface WritingContext extends Context, KeepsActivity, KeepsUnsentNotifications {}

/** A file of a message or post. */
export interface AttachedId {
  readonly id: Id;
  readonly alt?: string;
}

/** A message, post or comment before it has a place. */
export interface Draft {
  readonly author: UserSummary;
  readonly content: string;
  /** Empty if there is none. */
  readonly nonce: string;
  readonly mentions: Mentions;
  readonly files: readonly AttachedId[];
  /** The author of what it replies to, if they see it. */
  readonly repliedTo: Id | undefined;
}

/** A message, post or comment that is to be written. */
export interface Write<Own extends Draft = Draft> {
  readonly ctx: WritingContext;
  readonly turning: Turning;
  readonly draft: Own;
  /** An id that was drawn for it. */
  readonly id: Id;
}

/** An entry among those that are written together, with the place of its call. */
export type Entry<Own extends Draft = Draft> = Write<Own> & { readonly at: number };

/** An entry with its final id, and the moment at which it is written. */
export type Placed<Own extends Draft = Draft> = Entry<Own> & { readonly writtenAtMs: number };

/** A message or post in the order of its place, with the number of its event. */
export type InTurn<Own extends Draft = Draft> = Placed<Own> & { readonly number: number };

/** The moment at which entries are written, and what it takes to write them. */
export interface Now {
  readonly ctx: WritingContext;
  readonly nowMs: number;
}

/**
 * The id of what was written before with the same nonce; `outdated` is what the author may do now, if the place or their membership
 * has changed since it was read.
 */
export type NotWritten = { readonly earlier: Id } | { readonly outdated: PlaceAccess };

/** The message, post or comment that was said, as everyone sees it, or the reason why it was not written. */
export type Outcome<Said> = { readonly said: Said } | NotWritten;

/** Something that decides for each of those who write together whether they may, by what was read and by what was accepted before. */
export interface Check<In> {
  /** The outcome of an entry that is not accepted. */
  refusalOf(entry: In): Refusal | undefined;
  /** Notes an entry that all checks accept. */
  accept?(entry: In): void;
  /** Stores what was noted. */
  readonly store?: () => Promise<void>;
}

/** Reads what a check needs; undefined if it has nothing to refuse. */
export type Checking<In> = (
  tx: EmittingTransaction,
  placed: readonly In[],
  now: Now,
) => Promise<Check<In> | undefined>;

/**
 * The special steps of messages, posts or comments. The steps run in this order, in one transaction for many entries.
 */
export interface Kind<Own extends Draft, In extends Placed<Own>, Said> {
  /** Returns where the nonce of an entry was used. */
  readonly nonceIn: (entry: Write<Own>) => Id;
  /** The kind as which the search finds the entries. */
  readonly indexedAs: IndexedKind;
  /**
   * True if they make their channel unread: slow mode holds for them, whom they mention is counted, and the marks of
   * their authors move to them.
   */
  readonly isUnread: boolean;
  /** The post that an entry is, or belongs to. */
  readonly postOf?: (entry: In) => Id;
  /** Locks where the entries are written, and gives each its place there. Lets those drop out that are refused there. */
  place(tx: EmittingTransaction, entries: readonly Entry<Own>[], now: Now): Promise<readonly In[]>;
  /** Adds rows. Returns the ids of those whose authors are no members any more, or have been changed. */
  insert(tx: EmittingTransaction, placed: readonly In[]): Promise<ReadonlySet<Id>>;
  /** A check that refuses entries before slow mode and their files do. */
  readonly check?: Checking<In>;
  /** Adds what belongs to the entries, and sends them. Returns them as everyone sees them, in the same order. */
  send(tx: EmittingTransaction, placed: readonly In[], now: Now): Promise<readonly Said[]>;
}
