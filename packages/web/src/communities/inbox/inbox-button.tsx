import { useCallback, useState } from 'preact/hooks';
import { useAccounts } from '../../account/use-accounts.ts';
import { useChannelText } from '../../channels/use-channel-text.ts';
import { useInstance } from '../../instance/use-instance.ts';
import { useFormats } from '../../text/use-text.ts';
import { BellIcon } from '../../ui/place-icons.tsx';
import { useCommunities } from '../use-communities.ts';
import { useViews } from '../../lib/views.ts';

/** Opens what mentions the reader or replies to them, and says how much of it is unread; nothing for visitors. */
export function InboxButton() {
  const account = useAccounts().current.value;
  const { hasCommunities } = useInstance();
  if (account?.token === undefined || hasCommunities.value === false) return null;
  return <Bell />;
}

const NOTHING = { count: 0, isMore: false };

function Bell() {
  const { inbox: words } = useChannelText();
  const { inbox } = useCommunities();
  const formats = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const views = useViews('communities', isOpen);
  const { count, isMore } = inbox.value?.unread.value ?? NOTHING;
  const shown = `${formats.count(count)}${isMore ? '+' : ''}`;
  const label = count === 0 ? words.title : words.unread(count, shown);
  return (
    <>
      <button
        type="button"
        class="icon-button inbox-button"
        aria-haspopup="dialog"
        aria-label={label}
        title={label}
        onClick={() => setIsOpen(true)}
      >
        <BellIcon />
        {count > 0 && (
          <span class="mention-mark" aria-hidden="true">
            {shown}
          </span>
        )}
      </button>
      {isOpen && views !== undefined && inbox.value !== undefined && (
        <views.InboxDialog inbox={inbox.value} onClose={close} />
      )}
    </>
  );
}
