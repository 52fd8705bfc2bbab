import type { Post } from '@hearth/protocol';
import type { ShownChannel, ShownCommunity } from '../../communities/shown-communities.ts';
import { queryOf, type SearchFields } from '../../search/search-fields.ts';
import { FoundCount } from '../../search/search-outcome.tsx';
import { useText } from '../../text/use-text.ts';
import type { ListLook } from '../list/kept-look.ts';
import { PostListView, type CardContext } from '../list/post-list-view.tsx';
import type { PostSearch } from '../post-source.ts';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { UserCommentsView } from '../user/user-comments-view.tsx';

/** The place where posts and comments are searched, and the way they are shown. */
export interface SearchedPlace {
  readonly shown: ShownCommunity;
  /** Undefined if the whole community is searched in any case. */
  readonly channel: ShownChannel | undefined;
  /** The name of the place. */
  readonly title: string;
  readonly look: ListLook;
  readonly contextOf: (post: Pick<Post, 'channel_id'>) => CardContext | undefined;
}

/** Posts or comments that were found, shown as they are elsewhere, and how many there are. */
export function FoundPosts(props: SearchedPlace & { readonly fields: SearchFields }) {
  const { fields, shown, channel, title, look, contextOf } = props;
  const { search: words } = usePostText();
  const { search: common } = useText().reading;
  const posts = usePosts();
  const { kind } = fields;
  const query = queryOf(fields);
  const of = searchedIn(props);
  const found = query && { of, query };
  const comments = found && kind === 'comments' ? posts.lists.commentsWith(found) : undefined;
  const cards =
    found && kind === 'posts'
      ? posts.lists.of({ kind: 'search', search: found }, { sort: 'new' })
      : undefined;
  const count = (comments?.entries ?? cards?.ids)?.value?.length;
  const isMore = (comments ?? cards)?.hasMore.value === true;
  const sought = query?.text ?? '';
  const view = {
    label: words.found(
      channel !== undefined && of.kind === 'community' ? shown.community.name : title,
    ),
    nothing: words.nothingText,
    nothingTitle: words.nothing,
    bar: null,
  };
  return (
    <>
      <p
        class={count === 0 ? 'visually-hidden' : 'search-outcome post-search-outcome'}
        role="status"
      >
        {found === undefined && common.hint}
        {count !== undefined && <FoundCount kind={kind} count={count} isMore={isMore} />}
      </p>
      {comments && (
        <UserCommentsView list={comments} contextOf={contextOf} sought={sought} {...view} />
      )}
      {cards && (
        <PostListView
          list={cards}
          look={look}
          contextOf={(post) => {
            const context = contextOf(post);
            return context && { ...context, sought };
          }}
          {...view}
        />
      )}
    </>
  );
}

function searchedIn({
  fields,
  shown,
  channel,
}: SearchedPlace & { readonly fields: SearchFields }): PostSearch['of'] {
  return channel === undefined || fields.where === 'wider'
    ? { kind: 'community', id: shown.community.id }
    : { kind: 'channel', id: channel.id };
}
