import type { Id } from '@hearth/protocol';

/** The channels in which this process has posted messages that nobody has indexed yet. */
export class PostedChannels {
  #ids = new Set<Id>();

  note(channelId: Id): void {
    this.#ids.add(channelId);
  }

  /** All of them; each is returned once. */
  take(): readonly Id[] {
    const ids = [...this.#ids];
    this.#ids = new Set();
    return ids;
  }
}

export interface KeepsPosted {
  readonly posted: PostedChannels;
}
