import { useAccounts } from '../../account/use-accounts.ts';
import { useInstance } from '../../instance/use-instance.ts';
import type { ShownMessage } from '../list/timeline.ts';
import { useConversation } from '../use-conversation.ts';

/** The rights of the reader with a message. */
export interface MayChange {
  readonly edit: boolean;
  readonly delete: boolean;
  readonly react: boolean;
}

/** Returns what the reader may do with messages, as far as the page knows. */
export function useMayChange(): (message: ShownMessage) => MayChange {
  const { owner, rights } = useConversation();
  const { features } = useInstance();
  const account = useAccounts().current.value;
  const canChange = features.value.includes('changes');
  const canReact = features.value.includes('reactions');
  return ({ id, user, isCard }) => {
    const isThere = owner !== undefined && id !== undefined;
    const isOwn = isThere && canChange && user?.id === owner;
    const mayModerate = rights === undefined ? account?.isModerator : rights.value.moderate;
    const mayReact = rights?.value.react ?? canReact;
    const isModerated = isThere && canChange && mayModerate === true;
    return {
      edit: isOwn && isCard === undefined,
      delete: isOwn || isModerated,
      react: isThere && mayReact,
    };
  };
}
