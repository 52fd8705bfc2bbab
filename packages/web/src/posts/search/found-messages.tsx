import type { Id } from '@hearth/protocol';
import { useEffect } from 'preact/hooks';
import { FoundHit } from '../../search/found-hit.tsx';
import type { Found, FoundIn } from '../../search/found.ts';
import type { SearchFields } from '../../search/search-fields.ts';
import { SearchMore, SearchOutcome } from '../../search/search-outcome.tsx';
import { usePosts } from '../use-posts.ts';

interface MessagesProps {
  readonly fields: SearchFields;
  readonly community: Id;
  /** Returns where a message is now. */
  readonly placeOf: (message: Found) => FoundIn;
}

/** The messages of a community that were found, beside its posts. */
export function FoundMessages({ fields, community, placeOf }: MessagesProps) {
  const search = usePosts().messagesOf(community);
  useEffect(() => search.show(fields), [search, fields]);
  return (
    <section class="post-found-messages">
      <SearchOutcome search={search} />
      <ol class="search-hits">
        {search.found.value.map((found) => {
          const foundIn = placeOf(found);
          return (
            <FoundHit
              key={found.id}
              found={{ ...found, foundIn }}
              url={foundIn.url}
              content={found.content}
              query={fields.text}
            />
          );
        })}
      </ol>
      <SearchMore search={search} />
    </section>
  );
}
