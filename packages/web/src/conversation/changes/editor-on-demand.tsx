import type { ComponentChildren } from 'preact';
import { useComputed } from '@preact/signals';
import { useViews } from '../../lib/views.ts';
import type { ShownMessage } from '../list/timeline.ts';
import { useConversation } from '../use-conversation.ts';

interface EditorProps {
  readonly message: ShownMessage;
  /** The content while the message is not being changed. */
  readonly children: ComponentChildren;
}

/** The body of a message, or the editor while its author changes it, which is loaded with the first one. */
export function EditorOnDemand({ message, children }: EditorProps) {
  const { changes } = useConversation();
  const { id } = message;
  const { value: acting } = useComputed(() => {
    const { value } = changes.acting;
    return value?.kind === 'edit' && value.id === id ? value : undefined;
  });
  const Editor = useViews('account', acting !== undefined)?.MessageEditor;
  if (acting === undefined || Editor === undefined) return <>{children}</>;
  return <Editor message={message} acting={acting} />;
}
