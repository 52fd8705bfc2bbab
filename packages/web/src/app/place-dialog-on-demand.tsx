import { useAccounts } from '../account/use-accounts.ts';
import { useViews } from '../lib/views.ts';
import type { ShownDialog } from './shown-at.ts';
import { useRouter } from './use-router.ts';

/** The dialog that the address names. Its view is loaded with the first one. */
export function PlaceDialogOnDemand({ dialog }: { readonly dialog: ShownDialog }) {
  const router = useRouter();
  const visit = router.visit.value;
  const isMember = useAccounts().current.value !== undefined;
  const { kind } = dialog;
  const isOfCommunity = kind === 'newCommunity' || kind === 'community';
  const isOfAccount = kind === 'user' || (kind === 'settings' && isMember);
  const communities = useViews('communities', isOfCommunity);
  const account = useViews('account', isOfAccount);
  const later = useViews('later', !isOfCommunity && !isOfAccount);
  const close = () => router.leave(visit);
  switch (kind) {
    case 'newCommunity':
      return communities && <communities.CreateDialog onClose={close} />;
    case 'community':
      return communities && <communities.CommunitySettings {...dialog} onClose={close} />;
    case 'user':
      return account && <account.ProfileDialog username={dialog.username} onClose={close} />;
    case 'settings':
      return isMember
        ? account && <account.AccountSettings page={dialog.page} onClose={close} />
        : later && <later.PlaceDialog dialog={dialog} onClose={close} />;
    case 'about':
      return later && <later.PlaceDialog dialog={dialog} onClose={close} />;
  }
}
