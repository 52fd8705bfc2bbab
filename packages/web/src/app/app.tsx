import { useAccounts } from '../account/use-accounts.ts';
import { useAccountView } from '../account/use-account-view.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { checkName } from '../settings/name.ts';
import { AccessCodeOnDemand } from './access-code-on-demand.tsx';
import { Header } from './header.tsx';
import { NotFound } from './not-found.tsx';
import { PlaceDialogOnDemand } from './place-dialog-on-demand.tsx';
import { Providers } from './providers.tsx';
import { useSearchOnDemand } from './search-on-demand.tsx';
import { ShortcutsOnDemand } from './shortcuts-on-demand.tsx';
import { needsAccount, shownAt, type Shown, type ShownDialog } from './shown-at.ts';
import type { AppState } from './state.ts';
import { Welcome } from './welcome.tsx';

/** The whole client. */
export function App({ state }: { readonly state: AppState }) {
  const shown = shownAt(state.router.visit.value.place);
  return (
    <Providers state={state}>
      <View state={state} shown={shown} />
    </Providers>
  );
}

function View({ state, shown }: { readonly state: AppState; readonly shown: Shown }) {
  const { access, accounts, instance, lobby } = state;
  const isNamed = checkName(accounts.name.value).isValid;
  const isMember = accounts.current.value !== undefined;
  const isClosed = instance.lobby.value !== 'open' && !isMember;
  if (shown.view === 'not_found') return <NotFound />;
  if (access.isCodeMissing.value) return <AccessCodeOnDemand access={access} />;
  if (shown.view === 'account') return <AccountPageOnDemand {...shown} isInTheWay={false} />;
  const isSignInFirst = needsAccount(shown) && !isMember;
  if (isClosed || isSignInFirst)
    return <AccountPageOnDemand page="signIn" isInTheWay={isSignInFirst} />;
  if (!isNamed) return <Welcome />;
  return <Frame lobby={lobby} dialog={shown.dialog} />;
}

type PageProps = Omit<Extract<Shown, { readonly view: 'account' }>, 'view'> & {
  readonly isInTheWay: boolean;
};

function AccountPageOnDemand({ page, invite, isInTheWay }: PageProps) {
  const Page = useAccountView('AccountPage', true);
  return Page === undefined ? null : <Page page={page} invite={invite} isInTheWay={isInTheWay} />;
}

interface FrameProps {
  readonly lobby: Conversation;
  readonly dialog: ShownDialog | undefined;
}

function Frame({ lobby, dialog }: FrameProps) {
  const search = useSearchOnDemand();
  const { panel: Panel } = search;
  const account = useAccounts().current.value;
  const isEnded = account !== undefined && account.token === undefined;
  const Ended = useAccountView('SessionEnded', isEnded);
  return (
    <div class="frame">
      <div>
        <Header onSearch={search.open} />
        {isEnded && Ended !== undefined && <Ended account={account} />}
      </div>
      {Panel !== undefined && <Panel conversation={lobby} onClose={search.close} />}
      {/* Before the message box, which is the last text box of the page. */}
      {dialog !== undefined && <PlaceDialogOnDemand dialog={dialog} />}
      <ShortcutsOnDemand />
      <ConversationView conversation={lobby} />
    </div>
  );
}
