import type { Publication } from '../bus/bus.ts';
import type { Transaction } from '../database/database.ts';

/** The thing that an event belongs to, such as a channel. The events of one subject are published in order. */
export interface Subject {
  readonly subject: string;
  /** The event's number, if the caller took it from its own row in this transaction. Numbers count up from 1. */
  readonly number?: number;
}

/** A transaction that may publish events. */
export interface EmittingTransaction extends Transaction {
  /**
   * Publishes an event or a control entry after the commit, once and in the order of its subject. Events of different
   * subjects have no order. Nothing is published if the transaction is rolled back. It gets its number after the transaction's
   * work: from then on, others that emit for the subject wait for the end. Rejects after the transaction's work has ended.
   */
  emit(publication: Publication, subject: Subject): Promise<void>;

  /**
   * Emits several events, in their order. The numbers of all of them are taken together, in the order of the subjects.
   */
  emitAll(emitted: readonly Emitted[]): Promise<void>;

  /**
   * Gives what was emitted so far its numbers now: others that emit for the same subjects wait from here on. For what else they
   * must do one after another.
   */
  takeNumbers(): Promise<void>;

  /**
   * Calls back as soon as it is certain that the transaction is committed, before a transaction begins that waits for this one.
   * What is sent then is sent in the order of the commits. Must not throw.
   */
  afterCommit(callback: () => void): void;
}

/** A publication, and what it belongs to. */
export type Emitted = readonly [publication: Publication, subject: Subject];
