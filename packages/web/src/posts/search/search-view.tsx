import { webPath } from '@hearth/protocol';
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownCommunity } from '../../communities/shown-communities.ts';
import { ownPath } from '../../lib/own-path.ts';
import type { Found, FoundIn } from '../../search/found.ts';
import { moveByArrows } from '../../search/move-by-arrows.ts';
import { kindsIn, type SearchFields } from '../../search/search-fields.ts';
import { SearchFieldsView, type SearchScope } from '../../search/search-fields-view.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { usePostText } from '../use-post-text.ts';
import { FoundMessages } from './found-messages.tsx';
import { FoundPosts, type SearchedPlace } from './found-posts.tsx';
import type { OpenSearch } from './post-search.ts';
import { ownKeys } from '../../ui/own-keys.ts';

interface ViewProps extends SearchedPlace {
  readonly search: OpenSearch & { readonly fields: SearchFields };
}

/** The time for which nothing has to be typed before a search begins. */
const PAUSE_MS = 300;

/** Shows what is searched in a channel or community, and what was found. */
export function SearchView(props: ViewProps) {
  const { search, shown, channel } = props;
  const fields = usePaused(search.fields);
  const scope: SearchScope = {
    kinds: kindsIn(shown.channels),
    here: channel === undefined ? [] : ['posts', 'comments'],
    wider: channel === undefined ? undefined : shown.community.name,
  };
  return (
    <div class="post-search-place" role="presentation" onKeyDown={ownKeys(moveByArrows)}>
      <SearchBar search={search} scope={scope} />
      {search.fields.kind === 'messages' ? (
        <FoundMessages
          fields={search.fields}
          community={shown.community.id}
          placeOf={(found) => placeOf(found, shown)}
        />
      ) : (
        <FoundPosts {...props} fields={fields} />
      )}
    </div>
  );
}

/** Returns where a message of a community is, by the present names and addresses. */
function placeOf({ id, channel_id }: Found, { community, channels }: ShownCommunity): FoundIn {
  const { slug } = community;
  const name = channels.find((each) => each.id === channel_id)?.name ?? '';
  if (channel_id === undefined) return { name, url: '' };
  const path = webPath('channelMessage', { slug, channel_id, message_id: id });
  return { name: `#${name}`, url: ownPath(path) };
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
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  };
  return (
    <form
      class="post-search"
      role="search"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={ownKeys(onKeyDown)}
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
