import { useCallback, useState } from 'preact/hooks';
import { useChannelText } from '../../channels/use-channel-text.ts';
import { BellIcon } from '../../ui/place-icons.tsx';
import { useCommunityViews } from '../use-community-views.ts';

/** Opens the messages that mention the reader or reply to them. */
export function InboxButton() {
  const { inbox: words } = useChannelText();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const views = useCommunityViews(isOpen);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-haspopup="dialog"
        aria-label={words.title}
        title={words.title}
        onClick={() => setIsOpen(true)}
      >
        <BellIcon />
      </button>
      {isOpen && views !== undefined && <views.InboxDialog onClose={close} />}
    </>
  );
}
