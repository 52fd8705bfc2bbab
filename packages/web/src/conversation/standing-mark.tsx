import CircleCheck from 'lucide/dist/esm/icons/circle-check.mjs';
import { Icon } from '../ui/icons.tsx';
import { useText } from '../text/use-text.ts';

type Standing = 'account' | 'deleted' | 'guest';

/** Returns what a name is: that of an account, of one that was deleted, or one that a guest chose. */
export function standingOf(user: { readonly deleted?: true } | undefined): Standing {
  if (user === undefined) return 'guest';
  return user.deleted === true ? 'deleted' : 'account';
}

/** Shows that a name belongs to an account. Guests choose any name, but none has such a mark. */
export function StandingMark({ standing }: { readonly standing: Standing }) {
  const { conversation: words } = useText();
  if (standing === 'guest') return null;
  if (standing === 'deleted') return <span class="message-own">{words.accountDeleted}</span>;
  return (
    <span class="message-account" role="img" aria-label={words.hasAccount} title={words.hasAccount}>
      <Icon of={CircleCheck} />
    </span>
  );
}
