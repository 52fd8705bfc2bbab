import { webPath, type User } from '@hearth/protocol';
import { Loaded } from '../conversation/loaded.tsx';
import { useAccounts } from '../account/use-accounts.ts';
import { useAccountText } from '../account/use-account-text.ts';
import { useClients } from '../connection/use-clients.ts';
import { ownPath } from '../lib/own-path.ts';
import { useViews } from '../lib/views.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProfileCard } from './profile-card.tsx';
import { useUser } from './use-user.ts';

interface ProfileProps {
  readonly username: string;
  readonly onClose: () => void;
}

/** Shows who somebody is. Loaded on use. */
export function ProfileDialog({ username, onClose }: ProfileProps) {
  const { user: words } = useAccountText();
  const [asked, retry] = useUser(username);
  const me = useAccounts().current.value;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Loaded asked={asked} onRetry={retry}>
        {(user) =>
          user === undefined ? (
            <div class="profile-card">
              <p class="profile-name">{words.missingTitle}</p>
              <p class="hint">{words.missingText(username)}</p>
            </div>
          ) : (
            <>
              <ProfileCard user={user} />
              {user.deleted !== true && <Activity user={user} />}
              {user.id === me?.id && (
                <a class="button" href={ownPath(webPath('settingsPage', { page: 'profile' }))}>
                  {words.edit}
                </a>
              )}
            </>
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** Shows what somebody has got for what they have written, and the way to that. */
function Activity({ user }: { readonly user: User }) {
  const { client } = useClients();
  const hasPosts = client.capabilities?.features.includes('posts') === true;
  const views = useViews('posts', hasPosts);
  return views === undefined ? null : <views.UserActivity key={user.id} user={user} />;
}
