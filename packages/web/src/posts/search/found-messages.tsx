import type { ChannelMessage, Id } from '@hearth/protocol';
import { useEffect } from 'preact/hooks';
import type { ConversationParts } from '../../conversation/conversation.ts';
import { useConversationParts } from '../../conversation/use-conversation-parts.ts';
import { ownPath } from '../../lib/own-path.ts';
import type { Found } from '../../search/found.ts';
import { FoundHit } from '../../search/found-hit.tsx';
import type { SearchFields } from '../../search/search-fields.ts';
import { SearchMore, SearchOutcome } from '../../search/search-outcome.tsx';
import { Search } from '../../search/search.ts';

interface MessagesProps {
  readonly fields: SearchFields;
  readonly community: Id;
  readonly urlOf: (message: Pick<ChannelMessage, 'id' | 'channel_id'>) => string;
  readonly nameOf: (channel: Id) => string | undefined;
}

/** The messages of a community that were found, beside its posts. */
export function FoundMessages({ fields, community, urlOf, nameOf }: MessagesProps) {
  const search = searchOf(useConversationParts(), community);
  // Channels and communities may have other names than when this was found.
  const named = (found: Found): Found => {
    const { id, foundIn: { channel } = {} } = found;
    if (channel === undefined) return found;
    const url = ownPath(urlOf({ id, channel_id: channel }));
    return { ...found, foundIn: { name: `#${nameOf(channel) ?? ''}`, url } };
  };
  useEffect(() => search.show(fields), [search, fields]);
  return (
    <section class="post-found-messages">
      <SearchOutcome search={search} />
      <ol class="search-hits">
        {search.found.value.map(named).map((found) => (
          <FoundHit
            key={found.id}
            found={found}
            url={found.foundIn?.url ?? ''}
            content={found.content}
            query={fields.text}
          />
        ))}
      </ol>
      <SearchMore search={search} />
    </section>
  );
}

/** The searches of communities stay, so that going back leads to what was found. */
const SEARCHES = new WeakMap<ConversationParts, Map<Id, Search>>();

function searchOf(parts: ConversationParts, community: Id): Search {
  const all = SEARCHES.get(parts) ?? new Map<Id, Search>();
  SEARCHES.set(parts, all);
  const known = all.get(community);
  if (known !== undefined) return known;
  const found = (message: ChannelMessage): Found => ({
    ...message,
    foundIn: { name: '', url: '', channel: message.channel_id },
  });
  const search = new Search(
    {
      on: () => () => {},
      search: async (query, options) => {
        const { communities } = parts.client;
        const page = await communities.searchMessages(community, query, options);
        return { messages: page.messages.map(found), next: page.next };
      },
    },
    parts.clock,
  );
  all.set(community, search);
  return search;
}
