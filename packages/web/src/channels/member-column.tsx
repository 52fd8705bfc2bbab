import { useEffect } from 'preact/hooks';
import { webPath, type Member, type UserSummary } from '@hearth/protocol';
import { Avatar } from '../account/avatar.tsx';
import { Loaded } from '../conversation/loaded.tsx';
import { MoreButton } from '../communities/more-button.tsx';
import { useCommunityText } from '../communities/use-community-text.ts';
import { ownPath } from '../lib/own-path.ts';
import { useFormats } from '../text/use-text.ts';
import { CloseIcon } from '../ui/icons.tsx';
import { nameOfPerson } from '../conversation/author.ts';
import type { MemberList } from './member-list.ts';
import type { People, Present } from './people.ts';

interface ColumnProps {
  readonly of: MemberList;
  readonly people: People;
  readonly onClose: () => void;
}

/** The members of a community: those who are there first. */
export function MemberColumn({ of, people, onClose }: ColumnProps) {
  const { channel: words } = useCommunityText();
  const formats = useFormats();
  const { list } = of;
  useEffect(() => of.need(), [of]);
  const asked = list.asked.value;
  const members = asked.state === 'there' ? asked.value.entries : [];
  const present = people.present.value;
  // Members are there themselves. Others are not shown who is.
  const hasPresence = present.length > 0;
  const isPresent = new Set(present.map(({ user }) => user.id));
  const nicknames = new Map(members.map(({ user, nickname }) => [user.id, nickname]));
  // Somebody who has changed their name may be on two pages.
  const absent = [...new Map(members.map((member) => [member.user.id, member])).values()].filter(
    ({ user }) => !isPresent.has(user.id),
  );
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
        <Loaded asked={asked} onRetry={() => void list.load()}>
          {() => <Absent members={absent} hasTitle={hasPresence} />}
        </Loaded>
        <MoreButton list={list} label={words.moreMembers} />
      </div>
    </aside>
  );
}

interface AbsentProps {
  readonly members: readonly Member[];
  readonly hasTitle: boolean;
}

function Absent({ members, hasTitle }: AbsentProps) {
  const { channel: words } = useCommunityText();
  if (members.length === 0) return null;
  return (
    <>
      {hasTitle && <h2>{words.others}</h2>}
      <ul>
        {members.map(({ user, nickname }) => (
          <MemberRow key={user.id} user={user} nickname={nickname} />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly user: UserSummary;
  readonly nickname: string | undefined;
  readonly status?: Present['status'];
}

function MemberRow({ user, nickname, status }: RowProps) {
  const { channel: words } = useCommunityText();
  const name = nameOfPerson(user, nickname);
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
