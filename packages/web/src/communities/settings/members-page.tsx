import { useState } from 'preact/hooks';
import type { Member } from '@hearth/protocol';
import { useAccounts } from '../../account/use-accounts.ts';
import { useFormats } from '../../text/use-text.ts';
import { EditIcon } from '../../ui/action-icons.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { MemberDialog } from './member-dialog.tsx';
import { nameOfPerson } from '../../conversation/author.ts';
import { PagedTable } from './paged-table.tsx';
import { Person } from './person.tsx';
import { RoleDot } from './roles-page.tsx';
import { mayActOn } from './standing.ts';
import { useNextLine } from './use-next-line.ts';
import { useMembers } from './use-members.ts';
import { useSettingsText } from './use-settings-text.ts';

/** The members, who can be searched and acted on. */
export function MembersPage({ community }: { readonly community: MyCommunity }) {
  const words = useSettingsText();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<Member | undefined>(undefined);
  const list = useMembers(community.id, typed);
  const lines = useNextLine();
  return (
    <>
      <label class="field">
        <span class="field-label">{words.members.search}</span>
        <input
          dir="auto"
          class="text-field"
          type="search"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <PagedTable list={list} lines={lines} none={words.members.none}>
        {(member) => (
          <MemberLine
            key={member.user.id}
            community={community}
            member={member}
            onOpen={() => setOpen(member)}
          />
        )}
      </PagedTable>
      {open !== undefined && (
        <MemberDialog
          community={community}
          member={open}
          onChanged={(changed) =>
            list.change((entries) => {
              const at = entries.findIndex(({ user }) => user.id === open.user.id);
              if (at === -1) return entries;
              if (changed !== undefined) return entries.with(at, changed);
              lines.leave(at);
              return entries.toSpliced(at, 1);
            })
          }
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface LineProps {
  readonly community: MyCommunity;
  readonly member: Member;
  readonly onOpen: () => void;
}

function MemberLine({ community, member, onOpen }: LineProps) {
  const { members: words } = useSettingsText();
  const formats = useFormats();
  const reader = useAccounts().current.value?.id;
  const { user, nickname, role_ids: roleIds, timed_out_until: until } = member;
  const roles = community.roles.filter(({ id }) => roleIds.includes(id)).toReversed();
  const isReader = user.id === reader;
  const mayAct = (['MANAGE_ROLES', 'MANAGE_NICKNAMES', 'TIMEOUT', 'KICK', 'BAN'] as const).some(
    (needs) => mayActOn(community, member, { reader, needs }),
  );
  const maySelf =
    isReader &&
    (community.permissions.has('CHANGE_NICKNAME') || community.permissions.has('MANAGE_ROLES'));
  return (
    <Person
      user={user}
      name={nickname}
      text={
        <p class="member-marks">
          {user.id === community.owner_id && <span class="badge">{words.owner}</span>}
          {isReader && <span class="badge">{words.you}</span>}
          {roles.map((role) => (
            <span key={role.id} class="badge">
              <RoleDot role={role} />
              {role.name}
            </span>
          ))}
          {until !== undefined && (
            <span class="badge badge-warning">{words.timedOut(formats.moment(until))}</span>
          )}
          <span class="hint">{words.joined(formats.date(member.joined_at))}</span>
        </p>
      }
    >
      {(mayAct || maySelf) && (
        <button
          type="button"
          class="icon-button"
          aria-haspopup="dialog"
          aria-label={words.actions(nameOfPerson(user, nickname))}
          onClick={onOpen}
        >
          <EditIcon />
        </button>
      )}
    </Person>
  );
}
