import { nameOfAccount } from '../conversation/author.ts';
import { useRef, useState } from 'preact/hooks';
import { useText } from '../text/use-text.ts';
import { ChevronIcon } from '../ui/icons.tsx';
import type { KeptAccount } from './accounts.ts';
import { Avatar } from './avatar.tsx';
import { useViews } from '../lib/views.ts';

/** Shows who the reader is; a button that opens the menu of the account. */
export function HeaderAccount({ account }: { readonly account: KeptAccount }) {
  const { header } = useText().shell;
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const Menu = useViews('account', isOpen)?.AccountMenu;
  const close = (isByKey: boolean) => {
    setIsOpen(false);
    if (isByKey) opener.current?.focus();
  };
  const name = nameOfAccount(account);
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="header-you header-account"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={header.account(name)}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Avatar name={account.username} picture={account.avatar} />
        <span>{name}</span>
        <ChevronIcon />
      </button>
      {isOpen && Menu !== undefined && <Menu account={account} opener={opener} onClose={close} />}
    </>
  );
}
