import type { Id } from '@hearth/protocol';

/** A notification that is stored and not sent. */
export interface UnsentNotification {
  readonly userId: Id;
  readonly id: Id;
  /** Empty outside of communities. */
  readonly communityId: Id | '';
  readonly channelId: Id;
  readonly authorId: Id;
}

/** The approximate number of notifications that are kept. Others are found in the database. */
const MOST_KEPT = 10_000;

/** The notifications that this process has stored and that nobody has sent yet, as far as it knows. */
export class UnsentNotifications {
  #kept: UnsentNotification[] = [];
  #onNote = () => {};

  /** Called whenever something is noted. */
  set onNote(listener: () => void) {
    this.#onNote = listener;
  }

  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  note(unsent: readonly UnsentNotification[]): void {
    if (this.#kept.length < MOST_KEPT) this.#kept.push(...unsent);
    this.#onNote();
  }

  /** The first ones, up to so many; each is returned once. */
  take(most: number): readonly UnsentNotification[] {
    return this.#kept.splice(0, most);
  }
}

export interface KeepsUnsentNotifications {
  readonly unsentNotifications: UnsentNotifications;
}
