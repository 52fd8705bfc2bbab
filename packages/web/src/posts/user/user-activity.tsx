import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Comment, Id, Post, User } from '@hearth/protocol';
import { addPosts } from '@hearth/sdk/posts';
import type { Page } from '../../communities/community-source.ts';
import { useFailureText } from '../../communities/describe-failure.ts';
import { PagedList } from '../../communities/paged-list.ts';
import { useCommunities } from '../../communities/use-communities.ts';
import { useClients } from '../../connection/use-clients.ts';
import { useFormats } from '../../text/use-text.ts';
import { When } from '../by-line.tsx';
import { excerptOf } from '../list/excerpt.ts';
import { postHref } from '../post-paths.ts';
import { useOwner } from '../use-posts.ts';
import { useWritingText } from '../compose/use-writing-text.ts';

type Tab = 'posts' | 'comments' | 'saved';

/** What somebody has written, as far as the reader sees it; what one has saved, for oneself. */
export function UserActivity({ user }: { readonly user: User }) {
  const words = useWritingText();
  const isOwn = useOwner() === user.id;
  const [tab, setTab] = useState<Tab>('posts');
  const { client } = useClients();
  const posts = useMemo(() => addPosts(client), [client]);
  const tabs: readonly Tab[] = isOwn ? ['posts', 'comments', 'saved'] : ['posts', 'comments'];
  return (
    <div class="user-activity">
      <Points id={user.id} />
      <div class="write-modes" role="group" aria-label={words.pages}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            class="write-mode"
            aria-pressed={tab === each}
            onClick={() => setTab(each)}
          >
            {words[each]}
          </button>
        ))}
      </div>
      {tab === 'comments' ? (
        <Paged
          key={tab}
          nothing={words.noComments}
          read={(cursor) => posts.comments.ofUser(user.id, { cursor })}
        >
          {(comment: Comment) => <CommentLine key={comment.id} comment={comment} />}
        </Paged>
      ) : (
        <Paged
          key={tab}
          nothing={tab === 'saved' ? words.noSaved : words.noPosts}
          read={(cursor) =>
            posts.list(tab === 'saved' ? 'saved' : { user_id: user.id }, { cursor })
          }
        >
          {(post: Post) => <PostLine key={post.id} post={post} />}
        </Paged>
      )}
    </div>
  );
}

function Points({ id }: { readonly id: Id }) {
  const words = useWritingText();
  const formats = useFormats();
  const { client } = useClients();
  const [points, setPoints] = useState<number | undefined>(undefined);
  useEffect(() => {
    // Without them, everything else is there.
    addPosts(client)
      .points(id)
      .then(({ points: all }) => setPoints(Math.floor(all)))
      .catch(() => {});
  }, [client, id]);
  if (points === undefined) return null;
  return <p class="user-points">{words.points(points, formats.count(points))}</p>;
}

interface PagedProps<Entry> {
  readonly nothing: string;
  readonly read: (cursor: string | undefined) => Promise<Page<Entry>>;
  readonly children: (entry: Entry) => ComponentChildren;
}

/** A list with a button for its next page. */
function Paged<Entry>({ nothing, read, children }: PagedProps<Entry>) {
  const words = useWritingText();
  const describe = useFailureText();
  const [list] = useState(() => new PagedList(read));
  useEffect(() => void list.load(), [list]);
  const asked = list.asked.value;
  if (asked.state === 'loading') return <p class="hint">{words.loading}</p>;
  if (asked.state === 'failed') {
    return (
      <p class="problem" role="alert">
        {words.failed} {describe(asked.error)}
      </p>
    );
  }
  const { entries, next } = asked.value;
  if (entries.length === 0) return <p class="hint">{nothing}</p>;
  return (
    <>
      <ul class="user-lines">{entries.map((entry) => children(entry))}</ul>
      {next !== undefined && (
        <button type="button" class="button" onClick={() => void list.loadMore()}>
          {words.more}
        </button>
      )}
    </>
  );
}

function useSlug(community: Id): string {
  const all = useCommunities().own.value ?? [];
  // The address of a community that the reader has not joined is found by its id.
  return all.find(({ id }) => id === community)?.slug ?? '';
}

function PostLine({ post }: { readonly post: Post }) {
  const slug = useSlug(post.community_id);
  return (
    <li class="user-line">
      {slug === '' ? (
        <strong dir="auto">{post.title}</strong>
      ) : (
        <a class="post-link" href={postHref(slug, post)} dir="auto">
          {post.title}
        </a>
      )}
      <span class="hint">
        <When at={post.created_at} editedAt={post.edited_at} />
      </span>
    </li>
  );
}

function CommentLine({ comment }: { readonly comment: Comment }) {
  const words = useWritingText();
  return (
    <li class="user-line">
      <p dir="auto">{excerptOf(comment.content ?? '')}</p>
      <span class="hint">
        <When at={comment.created_at} editedAt={comment.edited_at} /> · {words.commentOn}
      </span>
    </li>
  );
}
