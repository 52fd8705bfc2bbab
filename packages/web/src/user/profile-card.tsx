import type { User } from '@hearth/protocol';
import { Avatar } from '../account/avatar.tsx';
import { useAccountText } from '../account/use-account-text.ts';
import { nameColour, nameOfPerson, shownName } from '../conversation/author.ts';
import { useFormats } from '../text/use-text.ts';

/** Shows what everyone sees of a person. */
export function ProfileCard({ user }: { readonly user: User }) {
  const { user: words } = useAccountText();
  const formats = useFormats();
  const { username, avatar, pronouns, bio, bot } = user;
  if (user.deleted === true) {
    return (
      <div class="profile-card">
        <p class="profile-name">{words.deletedName}</p>
        <p class="hint">{words.deletedText}</p>
      </div>
    );
  }
  return (
    <div class="profile-card">
      <div class={`profile-band ${nameColour(username)}`} />
      <Avatar name={username} picture={avatar} size={96} />
      <div>
        <p class="profile-name">
          <bdi>{nameOfPerson(user)}</bdi>
          {bot === true && <span class="badge">{words.bot}</span>}
        </p>
        <p class="profile-handle">
          @{username}
          {pronouns !== undefined && <bdi> · {shownName(pronouns)}</bdi>}
        </p>
      </div>
      {bio !== undefined && (
        <p class="profile-bio" dir="auto">
          {bio}
        </p>
      )}
      {user.created_at !== undefined && (
        <p class="hint">{words.joined(formats.date(user.created_at))}</p>
      )}
    </div>
  );
}
