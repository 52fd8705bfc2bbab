import type { Id } from '@hearth/protocol';
import type { Watcher } from '../communities/watcher.ts';
import type { PartHost } from '../part-host.ts';

/** The facts about an event of a post besides the event. */
export interface PostNews {
  readonly community_id: Id | undefined;
  readonly isMention: boolean;
  readonly isOwn: boolean;
}

/** Takes what a gateway sends about posts. */
export interface PostsListener {
  /** The gateway is open. Events may be missing. */
  opened(mayMiss: boolean): void;
  /** An event of a stream. */
  event(raw: unknown, news: PostNews): void;
  /** These posts are watched from now on, and no others. */
  watches(ids: readonly Id[]): void;
  /** An event of something that is watched. */
  watchedEvent(raw: unknown): void;
  left(): void;
}

/** The parts of a client that its part for posts needs. */
export type PostsHost = Pick<PartHost, 'api' | 'clock' | 'life' | 'events' | 'keepOpen'> & {
  readonly watcher: Watcher;
  listen(listener: PostsListener): void;
};
