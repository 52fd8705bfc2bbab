import { useEffect, useState } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';
import { Menu } from '../../ui/menu.tsx';
import { useMayChange } from '../changes/may-change.ts';
import { useEdit } from '../changes/use-edit.ts';
import { useConversation } from '../use-conversation.ts';
import type { MessageAction } from './message-action.ts';
import { messageActions } from './message-actions.tsx';
import type { MessageMenu } from './use-message-menu.ts';

/** The time for which the page says what an action did. */
const SAID_MS = 2_500;

/** The menu of a message while it is open, and what came of it. */
export function MessageMenuView({ menu }: { readonly menu: MessageMenu }) {
  const conversation = useConversation();
  const text = useText();
  const mayChange = useMayChange();
  const edit = useEdit();
  const { useMoreActions = useNoActions } = conversation;
  const more = useMoreActions();
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const choose = (action: MessageAction) => {
    menu.close(true);
    setSaid('');
    void Promise.resolve(action.run()).then((sentence) => setSaid(sentence ?? ''));
  };
  const { open } = menu;
  return (
    <>
      {open !== undefined && (
        <Menu
          label={text.reading.actions}
          items={messageActions(conversation, open.row, {
            words: text.reading,
            opener: open.opener,
            may: mayChange(open.row.message),
            edit,
            more: more(open.row.message),
          })}
          at={open.at}
          onChoose={choose}
          onClose={menu.close}
        />
      )}
      <p class="said" role="status">
        {said}
      </p>
    </>
  );
}

function useNoActions(): () => readonly MessageAction[] {
  return () => [];
}
