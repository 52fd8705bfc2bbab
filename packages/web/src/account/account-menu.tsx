import { nameOfAccount } from '../conversation/author.ts';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { useClients } from '../connection/use-clients.ts';
import { loadAt, ownPath } from '../lib/own-path.ts';
import { PlusIcon } from '../ui/action-icons.tsx';
import { SettingsIcon } from '../ui/icons.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import type { KeptAccount } from './accounts.ts';
import { Avatar } from './avatar.tsx';
import { PersonIcon, SignOutIcon } from './icons.tsx';
import { useAccounts } from './use-accounts.ts';
import { useAccountText } from './use-account-text.ts';

interface MenuProps {
  readonly account: KeptAccount;
  /** The button that opened it. */
  readonly opener: RefObject<HTMLElement | null>;
  readonly onClose: (isByKey: boolean) => void;
}

interface Item extends MenuItem {
  readonly run?: () => void;
}

/** The menu of the reader's account. Loaded on use. */
export function AccountMenu({ account, opener, onClose }: MenuProps) {
  const { menu: words } = useAccountText();
  const items = useItems(account);
  const at = useMemo(() => {
    const { right = 0, bottom = 0 } = opener.current?.getBoundingClientRect() ?? {};
    // The menu moves into the window by itself.
    return { x: right, y: bottom + 4 };
  }, [opener]);
  return (
    <Menu
      label={words.label}
      head={<Head account={account} />}
      items={items}
      at={at}
      opener={opener}
      onChoose={({ run }) => {
        onClose(false);
        run?.();
      }}
      onClose={onClose}
    />
  );
}

function Head({ account }: { readonly account: KeptAccount }) {
  const { username, avatar } = account;
  return (
    <div class="menu-head">
      <Avatar name={username} picture={avatar} size={40} />
      <div>
        <p class="menu-name">
          <bdi>{nameOfAccount(account)}</bdi>
        </p>
        <p class="hint">@{username}</p>
      </div>
    </div>
  );
}

function useItems(account: KeptAccount): readonly Item[] {
  const accounts = useAccounts();
  const { menu: words } = useAccountText();
  const others = useOthers(account);
  const signOut = useSignOut(account);
  return [
    {
      key: 'profile',
      label: words.profile,
      icon: <PersonIcon />,
      href: ownPath(webPath('user', { username: account.username })),
    },
    {
      key: 'settings',
      label: words.settings,
      icon: <SettingsIcon />,
      href: ownPath(webPath('settings', {})),
    },
    ...others.map(({ id, username, avatar }) => ({
      key: id,
      label: words.switchTo(username),
      icon: <Avatar name={username} picture={avatar} size={20} />,
      isAfterLine: id === others[0]?.id,
      run: () => {
        accounts.use(id);
        loadAt(webPath('home', {}));
      },
    })),
    {
      key: 'add',
      label: words.add,
      icon: <PlusIcon />,
      isAfterLine: others.length === 0,
      href: ownPath(webPath('signIn', {})),
    },
    {
      key: 'signOut',
      label: words.signOut,
      icon: <SignOutIcon />,
      isAfterLine: true,
      run: signOut,
    },
  ];
}

/** The other accounts of this browser. */
function useOthers({ id }: KeptAccount): readonly KeptAccount[] {
  const accounts = useAccounts();
  const [others, setOthers] = useState<readonly KeptAccount[]>([]);
  useEffect(() => {
    void accounts
      .list()
      .then((all) =>
        setOthers(
          all
            .filter((each) => each.id !== id && each.token !== undefined)
            .toSorted((one, other) => one.username.localeCompare(other.username)),
        ),
      );
  }, [accounts, id]);
  return others;
}

/** Signs out here, even if the server cannot be reached. The next page acts for a visitor. */
function useSignOut({ id }: KeptAccount): () => void {
  const accounts = useAccounts();
  const { client } = useClients();
  return () => {
    const leave = async () => {
      try {
        await client.signOut();
      } catch {
        // This browser forgets the token, and the server ends the session when it has not been used for long enough.
      }
      await accounts.forget(id);
      loadAt(webPath('home', {}));
    };
    void leave();
  };
}
