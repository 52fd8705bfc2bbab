import type { Id, Post, PostSettings } from '@hearth/protocol';
import type { Thread } from '../comments/thread.ts';
import type { PostRights } from '../rights.ts';

/** An open post, and what the reader may do with it. */
export interface PostContext {
  readonly slug: string;
  readonly rights: PostRights;
  readonly settings: PostSettings;
  readonly thread: Thread;
  readonly post: Post;
  /** The account that reads; undefined for a visitor. */
  readonly owner: Id | undefined;
}
