import { webPath, type Post } from '@hearth/protocol';
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownChannel, ShownCommunity } from '../../communities/communities.ts';
import { kindsIn, queryOf, type SearchFields } from '../../search/search-fields.ts';
import { SearchFieldsView, type SearchScope } from '../../search/search-fields-view.tsx';
import { useText } from '../../text/use-text.ts';
import { CloseIcon } from '../../ui/icons.tsx';
import type { ListLook } from '../list/kept-look.ts';
import { PostListView, type CardContext } from '../list/post-list-view.tsx';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { UserCommentsView } from '../user/user-comments-view.tsx';
import { FoundMessages } from './found-messages.tsx';
import type { OpenSearch } from './post-search.ts';

interface ViewProps {
  readonly search: OpenSearch & { readonly fields: SearchFields };
  readonly shown: ShownCommunity;
  /** Undefined if the whole community is searched in any case. */
  readonly channel: ShownChannel | undefined;
  /** The name of the place. */
  readonly title: string;
  readonly look: ListLook;
  readonly contextOf: (post: Post) => CardContext | undefined;
}

/** How long nothing has to be typed before a search begins. */
const PAUSE_MS = 300;

/** What is searched in a channel or community, and what was found. */
export function SearchView(props: ViewProps) {
  const { search, shown, channel } = props;
  const fields = usePaused(search.fields);
  const scope: SearchScope = {
    kinds: kindsIn(shown.channels),
    here: channel === undefined ? [] : ['posts', 'comments'],
    wider: channel === undefined ? undefined : shown.community.name,
  };
  return (
    <>
      <SearchBar search={search} scope={scope} />
      {search.fields.kind === 'messages' ? (
        <FoundMessages
          fields={search.fields}
          community={shown.community.id}
          urlOf={({ id, channel_id }) =>
            webPath('channelMessage', { slug: shown.community.slug, channel_id, message_id: id })
          }
          nameOf={(id) => shown.channels.find((each) => each.id === id)?.name}
        />
      ) : (
        <FoundPosts {...props} fields={fields} />
      )}
    </>
  );
}

/** Posts or comments, shown as they are elsewhere. */
function FoundPosts(props: ViewProps & { readonly fields: SearchFields }) {
  const { fields, shown, channel, title, look, contextOf } = props;
  const { search: words } = usePostText();
  const { search: common } = useText().reading;
  const posts = usePosts();
  const query = queryOf(fields);
  if (query === undefined) return <p class="hint post-search-hint">{common.hint}</p>;
  const { community } = shown;
  const isWider = channel === undefined || fields.where === 'wider';
  const of = isWider
    ? ({ kind: 'community', id: community.id } as const)
    : ({ kind: 'channel', id: channel.id } as const);
  const found = { of, query };
  const sought = query.text ?? '';
  const label = words.found(channel !== undefined && isWider ? community.name : title);
  if (fields.kind === 'comments') {
    const list = posts.commentsWith(found);
    return (
      <UserCommentsView
        list={list}
        label={label}
        bar={null}
        nothing={common.nothing}
        sought={sought}
      />
    );
  }
  return (
    <PostListView
      list={posts.list({ kind: 'search', search: found }, { sort: 'new' })}
      look={look}
      label={label}
      contextOf={(post) => {
        const context = contextOf(post);
        return context && { ...context, sought };
      }}
      nothing={words.nothingText}
      nothingTitle={words.nothing}
      bar={null}
    />
  );
}

/** The fields once nothing was typed for a moment; at once when they are opened or the kind is chosen. */
function usePaused(fields: SearchFields): SearchFields {
  const [shown, setShown] = useState(fields);
  useEffect(() => {
    const timer = setTimeout(() => setShown(fields), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [fields]);
  return { ...shown, kind: fields.kind };
}

interface BarProps extends Pick<ViewProps, 'search'> {
  readonly scope: SearchScope;
}

function SearchBar({ search, scope }: BarProps) {
  const { search: words } = usePostText();
  const input = useRef<HTMLInputElement>(null);
  const { fields, change, close } = search;
  // Who comes back from what was found goes on reading there.
  const [isNew] = useState(fields.text === '');
  useEffect(() => {
    if (isNew) input.current?.focus();
  }, [isNew]);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    close();
  };
  return (
    <form
      class="post-search"
      role="search"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
    >
      <SearchFieldsView
        input={input}
        fields={fields}
        scope={scope}
        onChange={(changed) => change({ ...fields, ...changed })}
      >
        <button
          type="button"
          class="icon-button"
          aria-label={words.close}
          title={words.close}
          onClick={close}
        >
          <CloseIcon />
        </button>
      </SearchFieldsView>
    </form>
  );
}
