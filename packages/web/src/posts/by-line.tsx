import { webPath, type UserSummary } from '@hearth/protocol';
import { Avatar } from '../account/avatar.tsx';
import { nameColour, shownName } from '../conversation/author.ts';
import { ownPath } from '../lib/own-path.ts';
import { useFormats } from '../text/use-text.ts';
import { timeAgo } from './short-values.ts';
import { usePostText } from './use-post-text.ts';

interface Named {
  readonly username: string;
  readonly display_name?: string | undefined;
}

/** The name of a person as it is shown. */
export function nameOf({ username, display_name: name = username }: Named): string {
  return shownName(name);
}

/** Who wrote something; leads to their profile. */
export function Author({
  user,
  hasPicture = true,
}: {
  readonly user: UserSummary;
  readonly hasPicture?: boolean;
}) {
  const { username, avatar } = user;
  return (
    <a class="by" href={ownPath(webPath('user', { username }))} title={`@${username}`} data-page>
      {hasPicture && <Avatar name={username} picture={avatar} size={24} />}
      <bdi class={nameColour(username)}>{nameOf(user)}</bdi>
    </a>
  );
}

/** When something was written, and whether it was changed. */
export function When({
  at,
  editedAt,
}: {
  readonly at: number;
  readonly editedAt?: number | undefined;
}) {
  const words = usePostText();
  const formats = useFormats();
  return (
    <>
      <time class="when" dateTime={new Date(at).toISOString()} title={formats.full(at)}>
        {timeAgo(formats.locale, at, Date.now())}
      </time>
      {editedAt !== undefined && (
        <time
          class="when"
          dateTime={new Date(editedAt).toISOString()}
          title={words.editedAt(formats.full(editedAt))}
        >
          ({words.edited})
        </time>
      )}
    </>
  );
}
