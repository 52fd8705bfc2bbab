import type { ComponentChildren } from 'preact';
import { ConnectionBanner } from '../connection/connection-banner.tsx';
import { Composer } from './composer/composer.tsx';
import type { Conversation } from './conversation.ts';
import { RefusalBanner } from './refusal-banner.tsx';
import { MessageList } from './list/message-list.tsx';
import { ConversationProvider } from './use-conversation.ts';
import { useShownPart } from './use-shown-part.ts';

interface ViewProps {
  readonly conversation: Conversation;
  /** Below the messages, such as who is writing. */
  readonly children?: ComponentChildren;
  /** In place of the box in which one writes, for those who may not. */
  readonly instead?: ComponentChildren;
  /** In place of the box for everyone, for a while. */
  readonly bar?: ComponentChildren;
}

/** A conversation: its messages, and where one writes. */
export function ConversationView({ conversation, children, instead, bar }: ViewProps) {
  const mayPost = conversation.rights?.value.post ?? true;
  return (
    <ConversationProvider value={conversation}>
      <main class="main" aria-label={conversation.name}>
        <div class="main-messages">
          <ShownList />
        </div>
        {children}
        <ConnectionBanner />
        <RefusalBanner />
        {bar ?? (mayPost ? <Composer /> : instead)}
      </main>
    </ConversationProvider>
  );
}

/** Another part of the history is another list, which begins at its own place. */
function ShownList() {
  return <MessageList key={useShownPart().number} />;
}
