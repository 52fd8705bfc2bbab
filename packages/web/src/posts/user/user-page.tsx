import { useState } from 'preact/hooks';
import { webPath, type User } from '@hearth/protocol';
import { useAccountText } from '../../account/use-account-text.ts';
import { PlaceHeader } from '../../communities/frame/place-header.tsx';
import { useCommunityText } from '../../communities/use-community-text.ts';
import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import { useClients } from '../../connection/use-clients.ts';
import { Loaded } from '../../conversation/loaded.tsx';
import { ownPath } from '../../lib/own-path.ts';
import { ProfileCard } from '../../user/profile-card.tsx';
import { useUser } from '../../user/use-user.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { useWritingText } from '../compose/use-writing-text.ts';
import { useKeptLook } from '../list/kept-look.ts';
import { PostListView } from '../list/post-list-view.tsx';
import type { ListPlace } from '../post-source.ts';
import { useOwner, usePosts } from '../use-posts.ts';
import { usePlacesOfPosts } from './use-places-of-posts.ts';
import { UserCommentsView } from './user-comments-view.tsx';
import { Points } from './user-points.tsx';

type Tab = 'posts' | 'comments' | 'saved';

/** The newest first; other orders have only places where many write. */
const NEW = { sort: 'new' } as const;

/** The tabs at which the reader looked of somebody, while the page is open. */
const TABS = new Map<string, Tab>();

/** Somebody, and what they have written, as far as the reader sees it. */
export function UserPage({ username }: { readonly username: string }) {
  const { frame } = useCommunityText();
  const [asked, retry] = useUser(username);
  const user = asked.state === 'there' ? asked.value : undefined;
  const isThere = user !== undefined && user.deleted !== true;
  const title = isThere ? nameOfPerson(user) : `@${username}`;
  return (
    <div class="frame">
      <PlaceHeader
        back={{ path: webPath('home', {}), label: frame.home }}
        title={title}
        text={isThere ? `@${user.username}` : undefined}
      />
      <main class="page" aria-label={title}>
        <ConnectionBanner />
        {isThere ? (
          <Written user={user} />
        ) : (
          <div class="post-list-page">
            <Loaded asked={asked} onRetry={retry}>
              {(found) =>
                found === undefined ? <Nobody username={username} /> : <Head user={found} />
              }
            </Loaded>
          </div>
        )}
      </main>
    </div>
  );
}

function Nobody({ username }: { readonly username: string }) {
  const { user: words } = useAccountText();
  return (
    <div class="post-nothing">
      <h2>{words.missingTitle}</h2>
      <p class="hint">{words.missingText(username)}</p>
    </div>
  );
}

function Head({ user }: { readonly user: User }) {
  const { user: words } = useAccountText();
  const isOwn = useOwner() === user.id;
  return (
    <div class="user-head">
      <ProfileCard user={user} />
      {user.deleted !== true && <Points id={user.id} />}
      {isOwn && (
        <a class="button" href={ownPath(webPath('settingsPage', { page: 'profile' }))}>
          {words.edit}
        </a>
      )}
    </div>
  );
}

function Written({ user }: { readonly user: User }) {
  const words = useWritingText();
  const posts = usePosts();
  const { client } = useClients();
  const isOwn = useOwner() === user.id;
  const [tab, setTab] = useState<Tab>(TABS.get(user.id) ?? 'posts');
  const tabs: readonly Tab[] = isOwn ? ['posts', 'comments', 'saved'] : ['posts', 'comments'];
  if (client.capabilities?.features.includes('posts') === false) {
    return (
      <div class="post-list-page">
        <Head user={user} />
      </div>
    );
  }
  const bar = (
    <>
      <Head user={user} />
      <div class="user-tabs" role="group" aria-label={words.tabs(nameOfPerson(user))}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            class="user-tab"
            aria-pressed={tab === each}
            onClick={() => {
              TABS.set(user.id, each);
              setTab(each);
            }}
          >
            {words[each]}
          </button>
        ))}
      </div>
    </>
  );
  const props = { bar, label: words[tab] };
  if (tab === 'comments')
    return <UserCommentsView {...props} list={posts.lists.commentsOf(user.id)} />;
  const place: ListPlace = tab === 'saved' ? { kind: 'saved' } : { kind: 'user', id: user.id };
  return <UserPosts key={tab} {...props} place={place} />;
}

interface PostsProps extends Pick<Parameters<typeof PostListView>[0], 'bar' | 'label'> {
  readonly place: ListPlace;
}

function UserPosts({ place, ...props }: PostsProps) {
  const words = useWritingText();
  const posts = usePosts();
  const { look } = useKeptLook();
  const list = posts.lists.of(place, NEW);
  const shown = (list.ids.value ?? []).flatMap((id) => posts.known.at(id).value ?? []);
  const contextOf = usePlacesOfPosts(shown);
  const nothing = place.kind === 'saved' ? words.noSaved : words.noPosts;
  return (
    <PostListView {...props} list={list} look={look} contextOf={contextOf} nothing={nothing} />
  );
}
