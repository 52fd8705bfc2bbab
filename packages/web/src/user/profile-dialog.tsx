import { useEffect, useState } from 'preact/hooks';
import { webPath, type User } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import { Loaded } from '../conversation/loaded.tsx';
import type { Asked } from '../lib/asked.ts';
import { useAccounts } from '../account/use-accounts.ts';
import { useAccountText } from '../account/use-account-text.ts';
import { useClients } from '../connection/use-clients.ts';
import { ownPath } from '../lib/own-path.ts';
import { usePostViews } from '../posts/use-post-views.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProfileCard } from './profile-card.tsx';

interface ProfileProps {
  readonly username: string;
  readonly onClose: () => void;
}

/** Who somebody is. Loaded on use. */
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

/** What somebody has written. */
function Activity({ user }: { readonly user: User }) {
  const { client } = useClients();
  const hasPosts = client.capabilities?.features.includes('posts') === true;
  const views = usePostViews(hasPosts);
  return views === undefined ? null : <views.UserActivity key={user.id} user={user} />;
}

/** Somebody by their username; undefined if there is nobody. */
function useUser(username: string): [Asked<User | undefined>, () => void] {
  const { client } = useClients();
  const [asked, setAsked] = useState<Asked<User | undefined>>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    setAsked({ state: 'loading' });
    client.userByName(username, ending).then(
      (value) => setAsked({ state: 'there', value }),
      (error: unknown) => {
        if (ending.signal.aborted) return;
        const isNobody = error instanceof NotFoundError;
        setAsked(isNobody ? { state: 'there', value: undefined } : { state: 'failed', error });
      },
    );
    return () => ending.abort();
  }, [client, username, attempt]);
  return [asked, () => setAttempt((before) => before + 1)];
}
