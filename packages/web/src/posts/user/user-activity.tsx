import { webPath, type User } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { useWritingText } from '../compose/use-writing-text.ts';
import { Points } from './user-points.tsx';

/** Shows what somebody has got for what they have written, and the way to that. */
export function UserActivity({ user }: { readonly user: User }) {
  const words = useWritingText();
  return (
    <div class="user-activity">
      <Points id={user.id} />
      <a class="button" href={ownPath(webPath('user', { username: user.username }))} data-page>
        {words.allOf}
      </a>
    </div>
  );
}
