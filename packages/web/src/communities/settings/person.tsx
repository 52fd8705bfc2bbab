import type { ComponentChildren } from 'preact';
import type { UserSummary } from '@hearth/protocol';
import { Avatar } from '../../account/avatar.tsx';
import { nameOfPerson } from '../../conversation/author.ts';

interface PersonProps {
  readonly user: UserSummary;
  readonly name?: string | undefined;
  /** Below the name. */
  readonly text?: ComponentChildren;
  /** Beside it. */
  readonly children?: ComponentChildren;
}

/** Somebody in a list, and what can be done about them. */
export function Person({ user, name, text, children }: PersonProps) {
  return (
    <li class="member">
      <Avatar name={user.username} picture={user.avatar} size={36} />
      <div class="member-text">
        <p class="member-name">
          <bdi>{nameOfPerson(user, name)}</bdi> <span class="hint">@{user.username}</span>
        </p>
        {text}
      </div>
      {children}
    </li>
  );
}
