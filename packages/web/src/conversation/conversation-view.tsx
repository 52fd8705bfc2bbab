import { ConnectionBanner } from '../connection/connection-banner.tsx';
import { Composer } from './composer/composer.tsx';
import type { Conversation } from './conversation.ts';
import { RefusalBanner } from './refusal-banner.tsx';
import { MessageList } from './list/message-list.tsx';
import { ConversationProvider } from './use-conversation.ts';
import { useShownPart } from './use-shown-part.ts';

/** A conversation: its messages, and where one writes. */
export function ConversationView({ conversation }: { readonly conversation: Conversation }) {
  return (
    <ConversationProvider value={conversation}>
      <main class="main" aria-label={conversation.name}>
        <div class="main-messages">
          <ShownList />
        </div>
        <ConnectionBanner />
        <RefusalBanner />
        <Composer />
      </main>
    </ConversationProvider>
  );
}

/** Another part of the history is another list, which begins at its own place. */
function ShownList() {
  return <MessageList key={useShownPart().number} />;
}
