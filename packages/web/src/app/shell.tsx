import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FramePlace } from '../communities/frame/places-rail.tsx';
import { useViews, type Views, type ViewsName } from '../lib/views.ts';
import { LostNotice } from '../ui/lost-notice.tsx';
import { NotFound } from './not-found.tsx';
import { PlaceDialogOnDemand } from './place-dialog-on-demand.tsx';
import { ShortcutsOnDemand } from './shortcuts-on-demand.tsx';
import type { Shown, ShownDialog } from './shown-at.ts';
import type { AppState } from './state.ts';
import { useSwipes } from './use-swipes.ts';

interface ShellProps {
  readonly state: AppState;
  readonly shown: Shown;
  readonly dialog: ShownDialog | undefined;
  /** The lobby, if that is shown. */
  readonly children: ComponentChildren;
}

/** The columns of places and channels around what is shown; on a narrow page, one of them at a time. */
export function Shell({ state, shown, dialog, children }: ShellProps) {
  const { accounts, lobby } = state;
  const views = useViews('frame');
  const [isSwitching, setIsSwitching] = useState(false);
  const account = accounts.current.value;
  const isEnded = account !== undefined && account.token === undefined;
  const Ended = useViews('account', isEnded)?.SessionEnded;
  const place = framePlace(shown);
  const onSwitch = () => setIsSwitching(true);
  const unread = lobby.messages.unread.value;
  const swipes = useSwipes(state, shown);
  const isLobby = shown.view === 'lobby';
  return (
    <div class="shell" data-shows={levelOf(shown)} {...swipes}>
      {views === undefined ? (
        <div class="places" />
      ) : (
        <views.PlacesRail
          place={place}
          isMember={account !== undefined}
          unreadInLobby={unread}
          onSwitch={onSwitch}
        />
      )}
      {children}
      {views === undefined && !isLobby && <Missing views="frame" />}
      {views !== undefined && (
        <Content {...{ views, shown, unread }} isCovered={dialog !== undefined} />
      )}
      {isEnded && Ended !== undefined && !isLobby && <Ended account={account} />}
      {views !== undefined && <views.BottomBar place={place} onSwitch={onSwitch} />}
      {views !== undefined && <views.FailureNotice />}
      {views !== undefined && <views.FrameKeys state={state} onSwitch={onSwitch} />}
      {dialog !== undefined && !isLobby && <PlaceDialogOnDemand dialog={dialog} />}
      {!isLobby && <ShortcutsOnDemand />}
      {isSwitching && <SwitcherOnDemand onClose={() => setIsSwitching(false)} />}
    </div>
  );
}

interface ContentProps {
  readonly views: Views['frame'];
  readonly shown: Shown;
  readonly unread: number;
  readonly isCovered: boolean;
}

function Content({ views, shown, unread, isCovered }: ContentProps) {
  const more = useViews('communities', shown.view === 'find');
  switch (shown.view) {
    case 'home':
      return <views.HomeView unreadInLobby={unread} />;
    case 'feed':
      return <views.FeedOnDemand />;
    case 'user':
      return <views.UserOnDemand key={shown.username} username={shown.username} />;
    case 'find':
      return more === undefined ? <Missing views="communities" /> : <more.FindView />;
    case 'community':
      return (
        <views.CommunityPlace
          slug={shown.slug}
          channelId={shown.channelId}
          messageId={shown.messageId}
          postId={shown.postId}
          commentId={shown.commentId}
          isPosts={shown.isPosts === true}
          isCovered={isCovered}
          nothing={<NotFound />}
        />
      );
    case 'lobby':
    case 'account':
    case 'invite':
    case 'not_found':
      return null;
  }
}

/** In place of what is not loaded yet. */
function Missing({ views }: { readonly views: ViewsName }) {
  return (
    <main class="page page-empty">
      <LostNotice views={views} />
    </main>
  );
}

function SwitcherOnDemand({ onClose }: { readonly onClose: () => void }) {
  const views = useViews('communities');
  return views === undefined ? null : <views.Switcher onClose={onClose} />;
}

function framePlace(shown: Shown): FramePlace {
  switch (shown.view) {
    case 'community':
      return { kind: 'community', slug: shown.slug, channelId: shown.channelId };
    case 'find':
      return { kind: 'find' };
    case 'home':
    case 'feed':
    case 'user':
      return { kind: 'home' };
    case 'lobby':
    case 'account':
    case 'invite':
    case 'not_found':
      return { kind: 'lobby' };
  }
}

/** Returns what a narrow page shows: a list that leads on, or what it leads to. */
function levelOf(shown: Shown): 'list' | 'page' | 'talk' {
  switch (shown.view) {
    case 'community':
      return (shown.channelId ?? shown.postId ?? shown.isPosts) ? 'talk' : 'list';
    case 'lobby':
      return 'talk';
    case 'home':
    case 'feed':
    case 'user':
    case 'find':
    case 'account':
    case 'invite':
    case 'not_found':
      return 'page';
  }
}
