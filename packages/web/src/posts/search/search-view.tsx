import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Post } from '@hearth/protocol';
import { CloseIcon } from '../../ui/icons.tsx';
import type { ListLook } from '../list/kept-look.ts';
import { Select } from '../list/list-bar.tsx';
import { PostListView, type CardContext } from '../list/post-list-view.tsx';
import type { PostSearch } from '../post-source.ts';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { UserCommentsView } from '../user/user-comments-view.tsx';
import { isSearch, type OpenSearch, type SearchFields } from './post-search.ts';

interface ViewProps {
  readonly search: OpenSearch & { readonly fields: SearchFields };
  readonly of: PostSearch['of'];
  /** The name of what is searched. */
  readonly title: string;
  readonly look: ListLook;
  readonly contextOf: (post: Post) => CardContext | undefined;
}

/** How long nothing has to be typed before a search begins. */
const PAUSE_MS = 300;

/** What is searched in a channel or community, and what was found. */
export function SearchView({ search, of, title, look, contextOf }: ViewProps) {
  const { search: words } = usePostText();
  const posts = usePosts();
  const fields = usePaused(search.fields);
  const { kind, text, from } = fields;
  const found = { of, text, from };
  const shows = isSearch(fields) ? kind : 'hint';
  const label = words.found(title);
  return (
    <>
      <SearchBar search={search} />
      {shows === 'hint' && <p class="hint post-search-hint">{words.hint}</p>}
      {shows === 'posts' && (
        <PostListView
          list={posts.list({ kind: 'search', search: found }, { sort: 'new' })}
          look={look}
          label={label}
          contextOf={contextOf}
          nothing={words.nothingText}
          nothingTitle={words.nothing}
          bar={null}
        />
      )}
      {shows === 'comments' && (
        <UserCommentsView
          list={posts.commentsWith(found)}
          label={label}
          bar={null}
          nothing={words.nothing}
        />
      )}
    </>
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

function SearchBar({ search }: Pick<ViewProps, 'search'>) {
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
      <input
        ref={input}
        type="search"
        class="text-field post-search-text"
        aria-label={words.text}
        placeholder={words.text}
        autocomplete="off"
        maxLength={200}
        value={fields.text}
        onInput={({ currentTarget: { value } }) => change({ ...fields, text: value })}
      />
      <Select<SearchFields['kind']>
        label={words.what}
        value={fields.kind}
        values={(['posts', 'comments'] as const).map((each) => [each, words.kinds[each]])}
        onChange={(kind) => change({ ...fields, kind })}
      />
      <input
        class="text-field post-search-from"
        aria-label={words.author}
        placeholder={words.from}
        autocomplete="off"
        maxLength={64}
        value={fields.from}
        onInput={({ currentTarget: { value } }) => change({ ...fields, from: value })}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={words.close}
        title={words.close}
        onClick={close}
      >
        <CloseIcon />
      </button>
    </form>
  );
}
