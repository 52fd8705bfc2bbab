import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Id, Post } from '@hearth/protocol';
import { useNavigation } from '../../ui/use-navigation.ts';
import { useFormats } from '../../text/use-text.ts';
import { ArrowUpIcon } from '../../ui/action-icons.tsx';
import { postPath } from '../post-paths.ts';
import type { PostRights } from '../rights.ts';
import { useItemKeys } from '../use-item-keys.ts';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import type { VoteValue } from '../post-source.ts';
import type { ListLook } from './kept-look.ts';
import { ListEnd, Skeletons } from './list-end.tsx';
import { PostCard } from './post-card.tsx';
import type { PostList } from './post-list.ts';
import { useListPlace } from './use-list-place.ts';
import type { PostSettings } from '@hearth/protocol';

/** The facts that a list knows of a post's channel. */
export interface CardContext {
  readonly slug: string;
  readonly place: string | undefined;
  readonly rights: PostRights;
  readonly settings: PostSettings;
  readonly readUpTo: Id | undefined;
}

interface ListProps {
  readonly list: PostList;
  readonly look: ListLook;
  readonly label: string;
  readonly contextOf: (post: Post) => CardContext | undefined;
  /** Above the posts. */
  readonly bar: ComponentChildren;
  readonly nothing: string;
}

/** A list of posts with its pages, as the reader left it. */
export function PostListView(props: ListProps) {
  const { list, look, label, contextOf, bar, nothing } = props;
  const words = usePostText();
  const posts = usePosts();
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => void list.open(), [list]);
  const ids = list.ids.value;
  useListPlace(page, list, ids !== undefined);
  useKeys(page, contextOf);
  return (
    <div class="post-list-page" ref={page}>
      {bar}
      <NewPosts list={list} />
      <section class="post-list" data-look={look} aria-label={label} aria-busy={ids === undefined}>
        {ids?.map((id) => {
          const post = posts.known.at(id).value;
          const context = post === undefined ? undefined : contextOf(post);
          return context === undefined ? null : (
            <PostCard key={id} id={id} look={look} {...context} />
          );
        })}
        {ids === undefined && list.loading.value.state !== 'failed' && <Skeletons look={look} />}
      </section>
      {ids?.length === 0 && (
        <div class="post-nothing">
          <h2>{words.nothing}</h2>
          <p class="hint">{nothing}</p>
        </div>
      )}
      <ListEnd list={list} length={ids?.length ?? 0} />
    </div>
  );
}

/** Posts that were written meanwhile come when the reader asks for them. */
function NewPosts({ list }: { readonly list: PostList }) {
  const words = usePostText();
  const formats = useFormats();
  const { size } = list.news.value;
  return (
    <div class="post-news-bar" role="status">
      {size > 0 && (
        <button
          type="button"
          class="button button-primary"
          onClick={({ currentTarget }) => {
            currentTarget.closest('.page')?.scrollTo({ top: 0 });
            void list.renew();
          }}
        >
          <ArrowUpIcon />
          {words.newPosts(size, formats.count(size))}
        </button>
      )}
    </div>
  );
}

function useKeys(
  page: { readonly current: HTMLDivElement | null },
  contextOf: ListProps['contextOf'],
): void {
  const posts = usePosts();
  const navigation = useNavigation();
  const postOf = (item: HTMLElement) => {
    const id = item.dataset['post'];
    const post = id === undefined ? undefined : posts.known.find(id);
    const context = post === undefined ? undefined : contextOf(post);
    return post === undefined || context === undefined ? undefined : { post, context };
  };
  const vote = (value: VoteValue) => (item: HTMLElement) => {
    const found = postOf(item);
    if (found === undefined || !found.context.rights.vote || found.post.locked === true) return;
    const { id, my_vote: mine } = found.post;
    if (value === -1 && found.context.settings.downvotes === false) return;
    void posts.changes.vote(id, mine === value ? 0 : value);
  };
  const open = (item: HTMLElement) => {
    const found = postOf(item);
    if (found !== undefined) navigation.go(postPath(found.context.slug, found.post));
  };
  useItemKeys(page, '[data-post]', { a: vote(1), z: vote(-1), Enter: open, o: open });
}
