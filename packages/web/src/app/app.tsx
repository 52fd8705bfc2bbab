import type { Conversation } from '../conversation/conversation.ts';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { checkName } from '../settings/name.ts';
import { AccessCodeView } from './access-code-view.tsx';
import { Header } from './header.tsx';
import { NotFound } from './not-found.tsx';
import { PlaceDialogOnDemand } from './place-dialog-on-demand.tsx';
import { Providers } from './providers.tsx';
import { useSearchOnDemand } from './search-on-demand.tsx';
import { ShortcutsOnDemand } from './shortcuts-on-demand.tsx';
import { shownAt, type ShownDialog } from './shown-at.ts';
import type { AppState } from './state.ts';
import { Welcome } from './welcome.tsx';

/** The whole client. */
export function App({ state }: { readonly state: AppState }) {
  const isNamed = checkName(state.settings.name.value).isValid;
  const isCodeMissing = state.access.isCodeMissing.value;
  const shown = shownAt(state.router.visit.value.place);
  return (
    <Providers state={state}>
      {shown.view === 'not_found' && <NotFound />}
      {shown.view === 'lobby' && isCodeMissing && <AccessCodeView access={state.access} />}
      {shown.view === 'lobby' && !isCodeMissing && !isNamed && <Welcome />}
      {shown.view === 'lobby' && !isCodeMissing && isNamed && (
        <Frame lobby={state.lobby} dialog={shown.dialog} />
      )}
    </Providers>
  );
}

interface FrameProps {
  readonly lobby: Conversation;
  readonly dialog: ShownDialog | undefined;
}

function Frame({ lobby, dialog }: FrameProps) {
  const search = useSearchOnDemand();
  const { panel: Panel } = search;
  return (
    <div class="frame">
      <Header onSearch={search.open} />
      {Panel !== undefined && <Panel conversation={lobby} onClose={search.close} />}
      {/* Before the message box, which is the last text box of the page. */}
      {dialog !== undefined && <PlaceDialogOnDemand dialog={dialog} />}
      <ShortcutsOnDemand />
      <ConversationView conversation={lobby} />
    </div>
  );
}
