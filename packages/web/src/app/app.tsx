import { useRef } from 'preact/hooks';
import { useAccounts } from '../account/use-accounts.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { useViews } from '../lib/views.ts';
import { checkName } from '../settings/name.ts';
import { AccessCodeOnDemand } from './access-code-on-demand.tsx';
import { Header } from './header.tsx';
import { InviteOnDemand } from './invite-on-demand.tsx';
import { LostBanner } from '../ui/lost-notice.tsx';
import { NotFound } from './not-found.tsx';
import { PlaceDialogOnDemand } from './place-dialog-on-demand.tsx';
import { Providers } from './providers.tsx';
import { SearchOnDemand } from './search-on-demand.tsx';
import { Shell } from './shell.tsx';
import { ShortcutsOnDemand } from './shortcuts-on-demand.tsx';
import {
  below,
  dialogOf,
  needsAccount,
  needsCommunities,
  shownBy,
  type Shown,
  type ShownDialog,
} from './shown-at.ts';
import type { AppState } from './state.ts';
import { Welcome } from './welcome.tsx';

/** The whole client. */
export function App({ state }: { readonly state: AppState }) {
  const shown = shownBy(state.router.visit.value, state.instance.hasCommunities.value);
  return (
    <Providers state={state}>
      <View state={state} shown={shown} />
      <LostBanner />
    </Providers>
  );
}

interface ViewProps {
  readonly state: AppState;
  readonly shown: Shown;
}

function View({ state, shown }: ViewProps) {
  const { access, accounts, instance } = state;
  const isMember = accounts.current.value !== undefined;
  const isClosed = instance.lobby.value !== 'open' && !isMember;
  const isMissing = needsCommunities(shown) && instance.hasCommunities.value === false;
  if (shown.view === 'not_found' || isMissing) return <NotFound />;
  if (access.isCodeMissing.value) return <AccessCodeOnDemand access={access} />;
  if (shown.view === 'account') return <AccountPageOnDemand {...shown} isInTheWay={false} />;
  if (shown.view === 'invite') {
    return (
      <InviteOnDemand
        code={shown.code}
        register={(invited) => (
          <AccountPageOnDemand page="register" {...invited} isInTheWay={false} />
        )}
      />
    );
  }
  const isSignInFirst = needsAccount(shown) && !isMember;
  if (isClosed || isSignInFirst)
    return <AccountPageOnDemand page="signIn" isInTheWay={isSignInFirst} />;
  return <Places state={state} shown={shown} />;
}

/** The places that the reader sees once nothing is in the way. */
function Places({ state, shown }: ViewProps) {
  const { accounts, instance, lobby } = state;
  const before = useRef<Shown | undefined>(undefined);
  const base = below(shown, before.current);
  if (dialogOf(shown) === undefined) before.current = shown;
  const dialog = dialogOf(shown);
  const isMember = accounts.current.value !== undefined;
  const isNamed = checkName(accounts.name.value).isValid;
  const isShell =
    needsCommunities(base) ||
    base.view === 'user' ||
    (isMember && instance.hasCommunities.value !== false);
  const isLobby = base.view === 'lobby' || (base.view === 'home' && !isMember);
  if (!isNamed && isLobby) return <Welcome />;
  return (
    <>
      {/* Before the message box, which is the last text box of the page. */}
      <SearchOnDemand state={state} shown={base} />
      {isShell ? (
        <Shell state={state} shown={base} dialog={dialog}>
          {isLobby && <Frame lobby={lobby} dialog={dialog} hasBack />}
        </Shell>
      ) : (
        <Frame lobby={lobby} dialog={dialog} />
      )}
    </>
  );
}

interface PageProps extends Pick<Extract<Shown, { readonly view: 'account' }>, 'page'> {
  readonly invite?: string | undefined;
  readonly community?: string | undefined;
  readonly isInTheWay: boolean;
}

function AccountPageOnDemand({ invite, ...props }: PageProps) {
  const Page = useViews('account')?.AccountPage;
  return Page === undefined ? null : <Page invite={invite} {...props} />;
}

interface FrameProps {
  readonly lobby: Conversation;
  readonly dialog: ShownDialog | undefined;
  readonly hasBack?: boolean;
}

function Frame({ lobby, dialog, hasBack = false }: FrameProps) {
  const account = useAccounts().current.value;
  const isEnded = account !== undefined && account.token === undefined;
  const Ended = useViews('account', isEnded)?.SessionEnded;
  return (
    <div class="frame">
      <div>
        <Header hasBack={hasBack} />
        {isEnded && Ended !== undefined && <Ended account={account} />}
      </div>
      {dialog !== undefined && <PlaceDialogOnDemand dialog={dialog} />}
      <ShortcutsOnDemand />
      <ConversationView conversation={lobby} />
    </div>
  );
}
