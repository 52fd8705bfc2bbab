import type { Id, NewPost, Post } from '@hearth/protocol';
import { newNonce } from '@hearth/sdk';
import { useConversationParts } from '../../conversation/use-conversation-parts.ts';
import { KeptDrafts } from '../../writing/kept-drafts.ts';
import { Submissions, type Submission } from '../../writing/submissions.ts';
import type { Posts } from '../posts.ts';
import { usePosts } from '../use-posts.ts';
import { newPostOf, type PostDraft } from './post-draft.ts';

/** The purpose of a draft: a new post in a channel, a change of a post, or a post made of a message. */
export type DraftPlace = `${'new' | 'edit' | 'message'}.${string}`;

/** A post as it is sent. */
export interface SentPost extends Pick<NewPost, 'from_message'> {
  readonly channel: Id;
  readonly place: DraftPlace;
  readonly draft: PostDraft;
}

/** A post on its way. */
export type PendingPost = Submission<SentPost>;

interface Writing {
  /** The posts that somebody has begun to write. */
  readonly drafts: KeptDrafts;
  readonly comments: KeptDrafts;
  readonly outbox: Submissions<SentPost, Post>;
}

/** The times to wait before each further try after nothing was answered. */
const WAITS_MS = [1_000, 3_000, 10_000, 30_000];

const KNOWN = new WeakMap<Posts, Writing>();

/** Returns what the reader writes: the same in all views. */
export function useWriting(): Writing {
  const posts = usePosts();
  const { storages, owner = 'visitor', clock } = useConversationParts();
  const known = KNOWN.get(posts);
  if (known !== undefined) return known;
  const storage = storages.local;
  const writing: Writing = {
    drafts: new KeptDrafts({ storage, key: `hearth.posts.${owner}` }),
    comments: new KeptDrafts({
      storage,
      key: `hearth.comments.${owner}`,
      most: 20,
      mostCharacters: 100_000,
    }),
    outbox: new Submissions({
      send: ({ channel, draft, from_message }, nonce) =>
        posts.changes.create(channel, {
          ...newPostOf(draft, clock.now()),
          nonce,
          ...(from_message !== undefined && { from_message }),
        }),
      nonce: newNonce,
      waitsMs: WAITS_MS,
      wait: (ms) => new Promise((resolve) => void clock.after(ms, () => resolve())),
    }),
  };
  KNOWN.set(posts, writing);
  return writing;
}
