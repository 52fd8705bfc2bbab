import type { ComponentChildren } from 'preact';
import { webPath } from '@hearth/protocol';
import { HeaderAccount } from '../../account/header-account.tsx';
import { useAccounts } from '../../account/use-accounts.ts';
import { ConnectionIndicator } from '../../connection/connection-indicator.tsx';
import { ownPath } from '../../lib/own-path.ts';
import { SearchButton } from '../../search/search-button.tsx';
import { useText } from '../../text/use-text.ts';
import { BackIcon } from '../../ui/icons.tsx';
import { InboxButton } from '../inbox/inbox-button.tsx';

interface HeaderProps {
  /** The place to which the button of a narrow page leads. */
  readonly back?: { readonly path: string; readonly label: string } | undefined;
  readonly icon?: ComponentChildren;
  readonly title: string;
  readonly text?: string | undefined;
  /** Further controls. */
  readonly children?: ComponentChildren;
}

/**
 * The name of what is shown, above it; with the state of the connection, what concerns the reader, and who they are.
 */
export function PlaceHeader({ back, icon, title, text, children }: HeaderProps) {
  const { header } = useText().shell;
  const account = useAccounts().current.value;
  return (
    <header class="header place-header">
      {back !== undefined && (
        <a class="icon-button place-back" href={ownPath(back.path)} aria-label={back.label}>
          <BackIcon />
        </a>
      )}
      <div class="place-title">
        {icon}
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {text !== undefined && (
          <p title={text}>
            <bdi>{text}</bdi>
          </p>
        )}
      </div>
      <ConnectionIndicator />
      {children}
      <SearchButton />
      <InboxButton />
      {account === undefined ? (
        <a class="header-sign-in" href={ownPath(webPath('signIn', {}))}>
          {header.signIn}
        </a>
      ) : (
        <HeaderAccount account={account} />
      )}
    </header>
  );
}
