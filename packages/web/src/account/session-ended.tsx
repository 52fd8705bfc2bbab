import { webPath } from '@hearth/protocol';
import { ownPath } from '../lib/own-path.ts';
import type { KeptAccount } from './accounts.ts';
import { useAccountText } from './use-account-text.ts';

/** Says that the reader's session has ended, and how to begin another one. Loaded on use. */
export function SessionEnded({ account }: { readonly account: KeptAccount }) {
  const { ended: words } = useAccountText();
  return (
    <div class="banner banner-warning" role="alert">
      <span>{words.text(account.username)}</span>
      <a class="button button-quiet" href={ownPath(webPath('signIn', {}))}>
        {words.signIn}
      </a>
    </div>
  );
}
