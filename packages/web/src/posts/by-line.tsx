import { webPath, type UserSummary } from '@hearth/protocol';
import { Avatar } from '../account/avatar.tsx';
import { nameColour, nameOfPerson } from '../conversation/author.ts';
import { ownPath } from '../lib/own-path.ts';
import { useFormats } from '../text/use-text.ts';
import { personNow } from '../user/people-now.ts';
import { timeAgo } from './short-values.ts';
import { usePostText } from './use-post-text.ts';

/** Shows who wrote something; leads to their profile. */
export function Author({
  user,
  hasPicture = true,
}: {
  readonly user: UserSummary;
  readonly hasPicture?: boolean;
}) {
  const now = personNow(user);
  const { username, avatar } = now;
  if (now.deleted === true)
    return <bdi class={`by ${nameColour(username)}`}>{nameOfPerson(now)}</bdi>;
  return (
    <a class="by" href={ownPath(webPath('user', { username }))} title={`@${username}`} data-page>
      {hasPicture && <Avatar name={username} picture={avatar} size={24} />}
      <bdi class={nameColour(username)}>{nameOfPerson(now)}</bdi>
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
