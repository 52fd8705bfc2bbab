import type { ComponentChildren } from 'preact';
import { AccountsProvider } from '../account/use-accounts.ts';
import { CommunitiesProvider } from '../communities/use-communities.ts';
import { ClientsProvider } from '../connection/use-clients.ts';
import { ConnectionProvider } from '../connection/use-connection.ts';
import { AttachmentsProvider } from '../conversation/attachments/use-attachments.ts';
import { ConversationPartsProvider } from '../conversation/use-conversation-parts.ts';
import { ViewsProvider } from '../lib/views.ts';
import { InstanceProvider } from '../instance/use-instance.ts';
import { SearchOpeningProvider } from '../search/search-opening.ts';
import { SettingsProvider } from '../settings/use-settings.ts';
import { TextsProvider } from '../text/use-text.ts';
import { CoversProvider } from '../ui/use-covers.ts';
import { NavigationProvider } from '../ui/use-navigation.ts';
import type { AppState } from './state.ts';
import { RouterProvider } from './use-router.ts';

interface ProvidersProps {
  readonly state: AppState;
  readonly children: ComponentChildren;
}

/** Provides what every view can use. A conversation is provided by its own view. */
export function Providers({ state, children }: ProvidersProps) {
  const { router, texts, views, settings, accounts, instance, connection, attachments } = state;
  return (
    <ViewsProvider value={views}>
      <TextsProvider value={texts}>
        <SettingsProvider value={settings}>
          <InstanceProvider value={instance}>
            <ClientsProvider value={state.clients}>
              <AccountsProvider value={accounts}>
                <ConnectionProvider value={connection}>
                  <AttachmentsProvider value={attachments}>
                    <CoversProvider value={router}>
                      <NavigationProvider value={state.navigation}>
                        <CommunitiesProvider value={state.communities}>
                          <ConversationPartsProvider value={state.conversationParts}>
                            <SearchOpeningProvider value={state.isSearching}>
                              <RouterProvider value={router}>{children}</RouterProvider>
                            </SearchOpeningProvider>
                          </ConversationPartsProvider>
                        </CommunitiesProvider>
                      </NavigationProvider>
                    </CoversProvider>
                  </AttachmentsProvider>
                </ConnectionProvider>
              </AccountsProvider>
            </ClientsProvider>
          </InstanceProvider>
        </SettingsProvider>
      </TextsProvider>
    </ViewsProvider>
  );
}
