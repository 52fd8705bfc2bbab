import { webPath } from '@hearth/protocol';
import { useAccounts } from '../account/use-accounts.ts';
import { HeaderAccount } from '../account/header-account.tsx';
import { useViews } from '../lib/views.ts';
import { useInstance } from '../instance/use-instance.ts';
import { ownPath } from '../lib/own-path.ts';
import { SearchButton } from '../search/search-button.tsx';
import { useText } from '../text/use-text.ts';
import { useRouter } from './use-router.ts';
import { ConnectionIndicator } from '../connection/connection-indicator.tsx';
import { PeopleOnline } from '../connection/people-online.tsx';
import { FlameMark } from '../ui/flame-mark.tsx';
import { BackIcon, ChevronIcon, SettingsIcon } from '../ui/icons.tsx';

interface HeaderProps {
  /** True if a narrow page has a way back to other places. */
  readonly hasBack: boolean;
}

/** The instance's name, what is wrong with the connection, how many are connected, what concerns the reader, and who they are. */
export function Header({ hasBack }: HeaderProps) {
  const router = useRouter();
  const { info } = useInstance();
  const { header } = useText().shell;
  const account = useAccounts().current.value;
  return (
    <header class="header">
      {hasBack && (
        <a
          class="icon-button place-back"
          href={ownPath(webPath('home', {}))}
          aria-label={header.back}
        >
          <BackIcon />
        </a>
      )}
      <h1 class="header-title">
        <button
          type="button"
          class="header-instance"
          aria-haspopup="dialog"
          aria-label={header.aboutInstance(info.instance_name)}
          onClick={() => router.go(webPath('about', {}))}
        >
          <FlameMark size="small" />
          <span class="header-name">
            <bdi>{info.instance_name}</bdi>
          </span>
          <ChevronIcon />
        </button>
      </h1>
      <ConnectionIndicator />
      <PeopleOnline />
      <SearchButton />
      {account !== undefined && <InboxOnDemand />}
      {account === undefined ? <Visitor /> : <HeaderAccount account={account} />}
    </header>
  );
}

/** The bell comes with the columns around what is shown, which somebody with an account needs at once. */
function InboxOnDemand() {
  const views = useViews('frame');
  return views === undefined ? null : <views.InboxButton />;
}

function Visitor() {
  const router = useRouter();
  const { features } = useInstance();
  const { header } = useText().shell;
  const name = useAccounts().name.value;
  return (
    <>
      <button
        type="button"
        class="header-you"
        aria-haspopup="dialog"
        aria-label={header.you(name)}
        onClick={() => router.go(webPath('settings', {}))}
      >
        <span>{name}</span>
        <SettingsIcon />
      </button>
      {features.value.includes('accounts') && (
        <a class="header-sign-in" href={ownPath(webPath('signIn', {}))}>
          {header.signIn}
        </a>
      )}
    </>
  );
}
