import { webPath } from '@hearth/protocol';
import { Avatar } from '../../account/avatar.tsx';
import { useAccounts } from '../../account/use-accounts.ts';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { personNow } from '../../user/people-now.ts';
import { StandingMark, standingOf } from '../standing-mark.tsx';
import {
  initialOf,
  mixesScripts,
  nameColour,
  nameOfAccount,
  nameOfPerson,
  shownName,
} from '../author.ts';
import type { ShownMessage } from './timeline.ts';

interface HeadProps {
  readonly message: ShownMessage;
}

/** Returns who wrote a message. One of the reader's that has not come back is by the account in use. */
export function useWriter({ id, user, author }: ShownMessage) {
  const account = useAccounts().current.value;
  if (user !== undefined) {
    const now = personNow(user);
    const { username, avatar, deleted } = now;
    const known = deleted === true ? undefined : username;
    return { name: nameOfPerson(now), username: known, avatar, standing: standingOf(user) };
  }
  if (id === undefined && account !== undefined) {
    const { username, avatar } = account;
    const name = nameOfAccount(account);
    return { name, username, avatar, standing: 'account' as const };
  }
  return {
    name: shownName(author),
    username: undefined,
    avatar: undefined,
    standing: 'guest' as const,
  };
}

/** The picture of who wrote a message. */
export function MessageAvatar({ message }: HeadProps) {
  const { avatar } = useWriter(message);
  const { author } = message;
  if (avatar !== undefined) return <Avatar name={author} picture={avatar} />;
  return <span class={`avatar ${nameColour(author)}`}>{initialOf(author)}</span>;
}

/** Shows who wrote a message, and when. A name that belongs to an account leads to its profile. */
export function MessageHead({ message }: HeadProps) {
  const { conversation: words, reading } = useText();
  const formats = useFormats();
  const { name, username, standing } = useWriter(message);
  const { createdAtMs, author } = message;
  const look = `message-author ${nameColour(author)}`;
  return (
    <p class="message-head">
      {username === undefined ? (
        <bdi class={look}>{name}</bdi>
      ) : (
        <a
          class={look}
          href={ownPath(webPath('user', { username }))}
          title={`@${username}`}
          aria-label={reading.profileOf(name)}
        >
          <bdi>{name}</bdi>
        </a>
      )}
      <StandingMark standing={standing} />
      {mixesScripts(name) && (
        <span
          class="message-warning"
          role="img"
          aria-label={words.mixedScripts}
          title={words.mixedScripts}
        >
          ⚠
        </span>
      )}
      {message.isOwn && <span class="message-own">{words.own}</span>}
      <time
        class="message-time"
        dateTime={new Date(createdAtMs).toISOString()}
        title={formats.full(createdAtMs)}
      >
        {formats.time(createdAtMs)}
      </time>
    </p>
  );
}
