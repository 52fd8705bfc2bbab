import { useRef, useState } from 'preact/hooks';
import type { Id, Member, MemberChange, Role } from '@hearth/protocol';
import { Field } from '../../account/field.tsx';
import { Form } from '../../account/form.tsx';
import { useAccounts } from '../../account/use-accounts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { InTurn } from '../in-turn.ts';
import { useCommunities } from '../use-communities.ts';
import { MemberRemoval } from './member-removal.tsx';
import { Outcome } from './outcome.tsx';
import { nameOfPerson } from '../../conversation/author.ts';
import { RoleDot } from './roles-page.tsx';
import { SelectField } from './select-field.tsx';
import { hasAllOf, mayActOn, rankOf } from './standing.ts';
import { useAct, type Act } from './use-act.ts';
import { useSettingsForm } from './use-settings-form.ts';
import { useSettingsText } from './use-settings-text.ts';
import { typedText } from '../../lib/typed-text.ts';

interface DialogProps {
  readonly community: MyCommunity;
  readonly member: Member;
  /** Called with the member as they are now; undefined if they are no longer one. */
  readonly onChanged: (member: Member | undefined) => void;
  readonly onClose: () => void;
}

/** Shows what can be done about a member. */
export function MemberDialog({ community, member, onChanged, onClose }: DialogProps) {
  const reader = useAccounts().current.value?.id;
  const { user } = member;
  const isReader = user.id === reader;
  const may = (needs: Parameters<typeof mayActOn>[2]['needs']) =>
    mayActOn(community, member, { reader, needs });
  const mayName = isReader
    ? community.permissions.has('CHANGE_NICKNAME') || community.permissions.has('MANAGE_NICKNAMES')
    : may('MANAGE_NICKNAMES');
  const editing = useMemberChange({ community, member, onChanged });
  return (
    <Dialog title={nameOfPerson(user, member.nickname)} onClose={onClose}>
      <div class="settings-rows">
        {mayName && <NicknameForm {...{ community, member, onChanged }} />}
        {(may('MANAGE_ROLES') || (isReader && community.permissions.has('MANAGE_ROLES'))) && (
          <RolesField community={community} member={member} reader={reader} {...editing} />
        )}
        {!isReader && may('TIMEOUT') && <TimeoutField member={member} {...editing} />}
        <Outcome act={editing.act} />
        {!isReader && (may('KICK') || may('BAN')) && (
          <MemberRemoval
            community={community}
            member={member}
            mayKick={may('KICK')}
            mayBan={may('BAN')}
            onRemoved={() => {
              onChanged(undefined);
              onClose();
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

interface Editing {
  readonly act: Act;
  readonly save: (change: MemberChange) => Promise<boolean>;
}

function useMemberChange(props: Omit<DialogProps, 'onClose'>): Editing {
  const { community, member, onChanged } = props;
  const { requests } = useCommunities();
  const act = useAct();
  const save = (change: MemberChange) =>
    act.run(async () =>
      onChanged(await requests.changeMember(community.id, member.user.id, change)),
    );
  return { act, save };
}

interface FieldProps extends Editing {
  readonly member: Member;
}

type NicknameProps = Omit<DialogProps, 'onClose'>;

function NicknameForm({ community, member, onChanged }: NicknameProps) {
  const { requests } = useCommunities();
  const words = useSettingsText();
  const { user } = member;
  const form = useSettingsForm({
    initial: { nickname: member.nickname ?? '' },
    async submit({ nickname }) {
      const change = { nickname: typedText(nickname) || null };
      onChanged(await requests.changeMember(community.id, user.id, change));
    },
  });
  return (
    <Form form={form} action={words.save} isLasting>
      <Field
        field={form.field('nickname')}
        label={words.members.nickname}
        hint={words.members.nicknameHint}
        placeholder={nameOfPerson(user)}
        autocomplete="off"
        isProse
      />
    </Form>
  );
}

interface RolesProps extends FieldProps {
  readonly community: MyCommunity;
  readonly reader: Id | undefined;
}

function RolesField({ community, member, reader, save }: RolesProps) {
  const { members: words, roles: roleWords } = useSettingsText();
  const [given, setGiven] = useState<readonly Id[]>(member.role_ids);
  const saved = useRef(given);
  const turns = useRef(new InTurn()).current;
  const rank = rankOf(community, reader, community.membership.role_ids);
  const roles = community.roles.filter(({ id }) => id !== community.id).toReversed();
  const isLacking = (role: Role) => !given.includes(role.id) && !hasAllOf(community, role);
  const toggle = (role: Id, isGiven: boolean) => {
    const others = given.filter((each) => each !== role);
    const next = isGiven ? [...others, role] : others;
    setGiven(next);
    void turns
      .run('roles', () => save({ role_ids: [...next] }))
      .then((isSaved) => {
        if (isSaved === true) saved.current = next;
        if (isSaved === false) setGiven(saved.current);
      });
  };
  return (
    <fieldset class="permission-group">
      <legend>{words.roles}</legend>
      {roles.length === 0 && <p class="hint">{words.noRoles}</p>}
      {roles.some(isLacking) && <p class="hint">{roleWords.cannotGive}</p>}
      {roles.map((role) => (
        <label key={role.id} class="role-check">
          <input
            type="checkbox"
            checked={given.includes(role.id)}
            disabled={role.position >= rank || isLacking(role)}
            onChange={(event) => toggle(role.id, event.currentTarget.checked)}
          />
          <RoleDot role={role} />
          <span>{role.name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function TimeoutField({ member, save }: FieldProps) {
  const { members: words } = useSettingsText();
  const isTimedOut = (member.timed_out_until ?? 0) > Date.now();
  const [chosen, setChosen] = useState(isTimedOut ? 'now' : '0');
  return (
    <SelectField
      label={words.timeout}
      hint={words.timeoutHint}
      names={chosen === 'now' ? { now: '…', ...words.timeouts } : words.timeouts}
      value={chosen}
      onChange={(seconds) => {
        setChosen(seconds);
        const lasts = Number(seconds) * 1_000;
        void save({ timed_out_until: lasts > 0 ? Date.now() + lasts : null });
      }}
    />
  );
}
