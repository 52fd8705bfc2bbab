import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';

/** A post that people are notified of, or whose comments they are notified of. */
export interface NotifiedPost {
  readonly title: string;
  /** Empty if it is to be hidden until somebody asks for it. */
  readonly content: string;
}

/** Functions that read what notifications are about, as it is now, by its ids. What was deleted is left out. */
export interface NotifiedTexts {
  readonly messages: (
    db: Reader,
    messages: readonly { readonly id: Id; readonly channelId: Id }[],
  ) => Promise<ReadonlyMap<Id, string>>;
  readonly posts: (db: Reader, ids: readonly Id[]) => Promise<ReadonlyMap<Id, NotifiedPost>>;
  readonly comments: (db: Reader, ids: readonly Id[]) => Promise<ReadonlyMap<Id, string>>;
}

export interface HasNotifiedTexts {
  readonly notifiedTexts: NotifiedTexts;
}
