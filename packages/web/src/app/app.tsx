import { useState } from 'preact/hooks';
import { AppContext, useApp, type AppState } from './app-state.ts';
import { Composer } from '../conversation/composer/composer.tsx';
import { MessageList } from '../conversation/list/message-list.tsx';
import { checkName } from '../settings/name.ts';
import { ConnectionBanner } from '../connection/connection-banner.tsx';
import { Header, type Panel } from './header.tsx';
import { InstancePanel } from '../instance/instance-panel.tsx';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { Welcome } from './welcome.tsx';

/** The whole client. */
export function App({ state }: { readonly state: AppState }) {
  const isNamed = checkName(state.settings.name.value).isValid;
  return (
    <AppContext.Provider value={state}>{isNamed ? <Frame /> : <Welcome />}</AppContext.Provider>
  );
}

function Frame() {
  const { info } = useApp();
  const [panel, setPanel] = useState<Panel | undefined>(undefined);
  const close = () => setPanel(undefined);
  return (
    <div class="frame">
      <Header onOpen={setPanel} />
      {/* Before the message box, which is the last text box of the page. */}
      {panel === 'instance' && <InstancePanel onClose={close} />}
      {panel === 'settings' && <SettingsDialog onClose={close} />}
      <main class="main" aria-label={info.instance_name}>
        <div class="main-messages">
          <MessageList />
        </div>
        <ConnectionBanner />
        <Composer />
      </main>
    </div>
  );
}
