import { useState } from 'preact/hooks';
import type { Conversation } from '../conversation/conversation.ts';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { InstancePanel } from '../instance/instance-panel.tsx';
import { checkName } from '../settings/name.ts';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { Header, type Panel } from './header.tsx';
import { Providers } from './providers.tsx';
import type { AppState } from './state.ts';
import { Welcome } from './welcome.tsx';

/** The whole client. */
export function App({ state }: { readonly state: AppState }) {
  const isNamed = checkName(state.settings.name.value).isValid;
  return (
    <Providers state={state}>{isNamed ? <Frame lobby={state.lobby} /> : <Welcome />}</Providers>
  );
}

function Frame({ lobby }: { readonly lobby: Conversation }) {
  const [panel, setPanel] = useState<Panel | undefined>(undefined);
  const close = () => setPanel(undefined);
  return (
    <div class="frame">
      <Header onOpen={setPanel} />
      {/* Before the message box, which is the last text box of the page. */}
      {panel === 'instance' && <InstancePanel onClose={close} />}
      {panel === 'settings' && <SettingsDialog onClose={close} />}
      <ConversationView conversation={lobby} />
    </div>
  );
}
