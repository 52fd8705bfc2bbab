import { signal, type ReadonlySignal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import type { Reaction } from '@hearth/sdk';
import type { ChangedMessage } from '../messages/entry-log.ts';

/** A change that was made in this page. */
export type OwnChange =
  | { readonly kind: 'update'; readonly message: ChangedMessage }
  /** Unless its text is another one than `from` by then. */
  | { readonly kind: 'text'; readonly id: Id; readonly from: string; readonly to: string }
  | { readonly kind: 'reaction'; readonly id: Id; readonly reaction: Reaction }
  | { readonly kind: 'pin'; readonly id: Id; readonly isPinned: boolean };

/** The act of the reader with a message. One thing at a time. */
export type Acting =
  /** `text` is what is being written, and `problem` why it was not saved. */
  | { readonly kind: 'edit'; readonly id: Id; readonly text: string; readonly problem?: string }
  | { readonly kind: 'delete'; readonly id: Id }
  /** An emoji is picked beside `opener`, which gets the focus back. */
  | { readonly kind: 'react'; readonly id: Id; readonly opener: HTMLElement }
  | { readonly kind: 'reactions'; readonly id: Id };

/** The changes that the reader makes to messages: they are shown before the instance has answered. */
export class OwnChanges {
  readonly acting = signal<Acting | undefined>(undefined);
  /** Why the last change failed, if nothing else says so. */
  readonly failure = signal<unknown>(undefined);
  readonly #wanted = signal<ReadonlyMap<string, boolean>>(new Map());
  readonly #listeners = new Set<(change: OwnChange) => void>();

  /** Which reactions the reader wants to have or not, until the instance has answered; see {@link reactionKey}. */
  get wanted(): ReadonlySignal<ReadonlyMap<string, boolean>> {
    return this.#wanted;
  }

  /** Sets what the reader wants; undefined if it is as the instance says. */
  want(key: string, isWanted: boolean | undefined): void {
    const wanted = new Map(this.#wanted.peek());
    if (isWanted === undefined) wanted.delete(key);
    else wanted.set(key, isWanted);
    this.#wanted.value = wanted;
  }

  /** Calls `listener` with each change from now on; returns a function that stops it. */
  on(listener: (change: OwnChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows a change. */
  show(change: OwnChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** The key of a reaction. */
export function reactionKey(id: Id, emoji: string): string {
  return `${id} ${emoji}`;
}
