import { useEffect, useState } from 'preact/hooks';
import { webPath, type Community, type Member, type UserSummary } from '@hearth/protocol';
import { Avatar } from '../account/avatar.tsx';
import { MoreButton } from '../communities/more-button.tsx';
import { PagedList } from '../communities/paged-list.ts';
import { useCommunities } from '../communities/use-communities.ts';
import { useCommunityText } from '../communities/use-community-text.ts';
import { ownPath } from '../lib/own-path.ts';
import { useFormats } from '../text/use-text.ts';
import { CloseIcon } from '../ui/icons.tsx';
import type { People, Present } from './people.ts';

interface ColumnProps {
  readonly community: Community;
  readonly people: People;
  readonly onClose: () => void;
}

/** The members of a community: those who are there first. */
export function MemberColumn({ community, people, onClose }: ColumnProps) {
  const { channel: words } = useCommunityText();
  const formats = useFormats();
  const { list, members } = useMembers(community);
  const present = people.present.value;
  // Members are there themselves. Others are not shown who is.
  const hasPresence = present.length > 0;
  const isPresent = new Set(present.map(({ user }) => user.id));
  const nicknames = new Map(members.map(({ user, nickname }) => [user.id, nickname]));
  const absent = members.filter(({ user }) => !isPresent.has(user.id));
  return (
    <aside class="member-column" aria-label={words.members}>
      <div class="member-column-head">
        <p>{words.members}</p>
        <button
          type="button"
          class="icon-button"
          aria-label={words.hideMembers}
          title={words.hideMembers}
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </div>
      <div class="member-column-list">
        {hasPresence && (
          <>
            <h2>{words.here(formats.count(present.length))}</h2>
            <ul>
              {present.map(({ user, status }) => (
                <MemberRow
                  key={user.id}
                  user={user}
                  nickname={nicknames.get(user.id)}
                  status={status}
                />
              ))}
            </ul>
          </>
        )}
        {absent.length > 0 && (
          <>
            {hasPresence && <h2>{words.others}</h2>}
            <ul>
              {absent.map(({ user, nickname }) => (
                <MemberRow key={user.id} user={user} nickname={nickname} />
              ))}
            </ul>
          </>
        )}
        <MoreButton list={list} label={words.moreMembers} />
      </div>
    </aside>
  );
}

interface RowProps {
  readonly user: UserSummary;
  readonly nickname: string | undefined;
  readonly status?: Present['status'];
}

function MemberRow({ user, nickname, status }: RowProps) {
  const { channel: words } = useCommunityText();
  const name = nickname ?? user.display_name ?? user.username;
  return (
    <li>
      <a
        class="member-row"
        href={ownPath(webPath('user', { username: user.username }))}
        data-status={status ?? 'offline'}
      >
        <Avatar name={user.username} picture={user.avatar} size={32} />
        <bdi>{name}</bdi>
        {status !== undefined && <span class="visually-hidden">{words.isHere}</span>}
      </a>
    </li>
  );
}

function useMembers({ id }: Community) {
  const { requests } = useCommunities();
  const [list] = useState(
    () =>
      new PagedList<Member>((cursor) =>
        requests.members(id, cursor === undefined ? {} : { cursor }),
      ),
  );
  useEffect(() => void list.load(), [list]);
  const asked = list.asked.value;
  if (asked.state !== 'there') return { list, members: [] };
  return { list, members: asked.value.entries };
}
