import { signal } from '@preact/signals';
import type { Client } from '@hearth/sdk';
import type { ConversationParts } from '../conversation/conversation.ts';
import type { CommunityNews, CommunityRequests } from '../communities/community-source.ts';
import { KeptCommunities } from '../communities/kept-communities.ts';
import type { LiveNews } from '../communities/news-writer.ts';

/** When what knows the communities is loaded again that could not be loaded. */
const AGAIN_MS = 3_000;

type Parts = Pick<ConversationParts, 'owner' | 'keptStorage' | 'clock' | 'views'>;

/** The source of communities, and what the reader does with them. */
export interface CommunitySource {
  readonly news: CommunityNews;
  readonly requests: CommunityRequests;
}

/** The communities of `client`, which was made without them: what knows them is loaded when it is needed. */
export function communitySource(
  client: Client,
  { owner, keptStorage: storage, clock, views }: Parts,
): CommunitySource {
  const isMember = owner !== undefined;
  const news: LiveNews = {
    // Visitors have none.
    communities: signal(isMember ? undefined : []),
    removed: signal(new Map()),
    mention: signal(undefined),
    inbox: signal(undefined),
    marks: signal(new Map()),
    settings: signal(new Map()),
  };
  let loading: Promise<CommunityRequests> | undefined;
  const load = (): Promise<CommunityRequests> => {
    loading ??= views
      .load('frame', { isOptional: true })
      .then(({ followCommunities }) => followCommunities(client, news, isMember));
    // If it could not be loaded, the next request tries again.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const follow = (): void => {
    load().catch(() => clock.after(AGAIN_MS, follow));
  };
  if (isMember) follow();
  if (storage !== undefined) {
    const key = `hearth.communities.${client.info.oprish_url}`;
    const { communities } = news;
    const kept = new KeptCommunities({ communities, storage, key, owner, clock });
    client.on('connection', ({ state }) => {
      if (state === 'waiting' && communities.peek() === undefined) void kept.show();
    });
  }
  return { news, requests: lazy(load) };
}

/** Returns the requests, which wait until they can be sent. */
function lazy(load: () => Promise<CommunityRequests>): CommunityRequests {
  const proxy = new Proxy(
    {},
    {
      get:
        (_, name) =>
        async (...values: readonly unknown[]) =>
          Reflect.apply(Reflect.get(await load(), name), undefined, values),
    },
  );
  // Guarantee: every property is a function that calls the one of this name.
  return proxy as CommunityRequests;
}
