import { useState } from 'preact/hooks';
import { MOST_ROLE_NAME_CHARACTERS } from '@hearth/protocol/schemas';
import type { Permission, Role, RoleChange } from '@hearth/protocol';
import { countCodePoints, type MyCommunity } from '@hearth/sdk';
import { Field } from '../../account/field.tsx';
import { useAccounts } from '../../account/use-accounts.ts';
import { Switch } from '../../ui/switch.tsx';
import { useCommunities } from '../use-communities.ts';
import { ConfirmDelete } from './confirm-delete.tsx';
import { OpenedHead } from './opened-head.tsx';
import { Outcome } from './outcome.tsx';
import { PermissionList } from './permission-list.tsx';
import { mayChangeRole } from './standing.ts';
import { useAct } from './use-act.ts';
import { useSettingsText } from './use-settings-text.ts';
import { typedText } from '../../lib/typed-text.ts';

interface FormProps {
  readonly community: MyCommunity;
  readonly role: Role;
  /** Called with whether it was deleted. */
  readonly onClose: (isGone: boolean) => void;
}

/** A role: what it is called, and what it lets people do. */
export function RoleForm({ community, role, onClose }: FormProps) {
  const { requests } = useCommunities();
  const words = useSettingsText();
  const reader = useAccounts().current.value?.id;
  const isEveryone = role.id === community.id;
  const mayChange = mayChangeRole(community, role, reader);
  const { draft, change, act, save, problem } = useRoleDraft(community, role);
  const given = new Set(draft.permissions);
  const toggle = (permission: Permission, isGiven: boolean) => {
    const others = draft.permissions.filter((each) => each !== permission);
    change({ permissions: isGiven ? [...others, permission] : others });
  };
  return (
    <form
      class="account-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <OpenedHead
        back={words.roles.toList}
        title={isEveryone ? words.roles.everyone : role.name}
        onBack={() => onClose(false)}
      />
      {!mayChange && <p class="hint">{words.roles.above}</p>}
      <fieldset class="plain-fieldset" disabled={!mayChange}>
        {isEveryone ? (
          <p class="hint">{words.roles.everyoneHint}</p>
        ) : (
          <RoleBasics draft={draft} problem={problem} onChange={change} />
        )}
        <h4 class="settings-part">{words.roles.permissions}</h4>
        <p class="hint">{words.roles.cannotGive}</p>
        <PermissionList
          given={given}
          mayGive={(permission) => mayChange && community.permissions.has(permission)}
          onChange={toggle}
        />
        <div class="form-end settings-save">
          <button type="submit" class="button button-primary" aria-disabled={act.isBusy}>
            {words.save}
          </button>
          <Outcome act={act} />
        </div>
      </fieldset>
      {!isEveryone && mayChange && (
        <ConfirmDelete
          label={words.roles.delete}
          text={words.roles.deleteText}
          onDelete={async () => {
            await requests.deleteRole(community.id, role.id);
            onClose(true);
          }}
        />
      )}
    </form>
  );
}

interface BasicsProps {
  readonly draft: RoleDraft;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<RoleDraft>) => void;
}

function RoleBasics({ draft, problem, onChange }: BasicsProps) {
  const { roles: words } = useSettingsText();
  return (
    <>
      <Field
        field={{
          name: 'name',
          value: draft.name,
          problem,
          onChange: (name) => onChange({ name }),
        }}
        label={words.name}
        autocomplete="off"
        isProse
      />
      <Switch
        label={words.mentionable}
        hint={words.mentionableHint}
        isOn={draft.mentionable}
        onChange={(mentionable) => onChange({ mentionable })}
      />
    </>
  );
}

interface RoleDraft {
  readonly name: string;
  readonly mentionable: boolean;
  readonly permissions: readonly Permission[];
}

function useRoleDraft(community: MyCommunity, role: Role) {
  const { requests } = useCommunities();
  const words = useSettingsText();
  const act = useAct();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [draft, setDraft] = useState<RoleDraft>(() => ({
    name: role.name,
    mentionable: role.mentionable ?? false,
    permissions: role.permissions,
  }));
  const save = () => {
    if (act.isBusy) return;
    const length = countCodePoints(typedText(draft.name));
    const isEveryone = role.id === community.id;
    const found =
      length === 0
        ? words.channels.nameMissing
        : length > MOST_ROLE_NAME_CHARACTERS
          ? words.channels.nameLong
          : undefined;
    setProblem(isEveryone ? undefined : found);
    if (found !== undefined && !isEveryone) return;
    const permissions = [...draft.permissions];
    const change: RoleChange = isEveryone
      ? { permissions }
      : { ...draft, name: draft.name.trim(), permissions };
    void act.run(() => requests.changeRole(community.id, role.id, change));
  };
  const change = (part: Partial<RoleDraft>) => {
    act.forget();
    setDraft((before) => ({ ...before, ...part }));
  };
  return { draft, change, act, save, problem };
}
