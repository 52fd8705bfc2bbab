import { newNonce } from '@hearth/sdk';
import { useConversationParts } from '../../conversation/use-conversation-parts.ts';
import type { Posts } from '../posts.ts';
import { usePosts } from '../use-posts.ts';
import { KeptDrafts } from './kept-drafts.ts';
import { PostOutbox } from './post-outbox.ts';

interface Writing {
  readonly drafts: KeptDrafts;
  readonly outbox: PostOutbox;
}

const KNOWN = new WeakMap<Posts, Writing>();

/** The posts that the reader writes: the same ones in all views. */
export function useWriting(): Writing {
  const posts = usePosts();
  const { storages, owner } = useConversationParts();
  const known = KNOWN.get(posts);
  if (known !== undefined) return known;
  const writing = {
    drafts: new KeptDrafts(storages.local, owner),
    outbox: new PostOutbox({
      create: (channel, post) => posts.create(channel, post),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      nonce: newNonce,
      now: () => Date.now(),
    }),
  };
  KNOWN.set(posts, writing);
  return writing;
}
