import { MOST_ROLE_NAME_CHARACTERS } from '@hearth/protocol/schemas';
import type { Permission, Role, RoleChange } from '@hearth/protocol';
import { countCodePoints, type MyCommunity } from '@hearth/sdk';
import { Field } from '../../account/field.tsx';
import { Form } from '../../account/form.tsx';
import type { FormState } from '../../account/use-form.ts';
import { useAccounts } from '../../account/use-accounts.ts';
import { Switch } from '../../ui/switch.tsx';
import { useCommunities } from '../use-communities.ts';
import { ConfirmDelete } from './confirm-delete.tsx';
import { OpenedHead } from './opened-head.tsx';
import { PermissionList } from './permission-list.tsx';
import { mayChangeRole } from './standing.ts';
import { useSettingsForm } from './use-settings-form.ts';
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
  const form = useRoleForm(community, role);
  const { permissions } = form.draft;
  const toggle = (permission: Permission, isGiven: boolean) => {
    const others = permissions.filter((each) => each !== permission);
    form.change({ permissions: isGiven ? [...others, permission] : others });
  };
  return (
    <>
      <OpenedHead
        back={words.roles.toList}
        title={isEveryone ? words.roles.everyone : role.name}
        onBack={() => onClose(false)}
      />
      {!mayChange && <p class="hint">{words.roles.above}</p>}
      <fieldset class="plain-fieldset" disabled={!mayChange}>
        <Form form={form} action={words.save} isLasting isLong>
          {isEveryone ? <p class="hint">{words.roles.everyoneHint}</p> : <RoleBasics form={form} />}
          <h4 class="settings-part">{words.roles.permissions}</h4>
          <p class="hint">{words.roles.cannotGive}</p>
          <PermissionList
            given={new Set(permissions)}
            mayGive={(permission) => mayChange && community.permissions.has(permission)}
            onChange={toggle}
          />
        </Form>
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
    </>
  );
}

function RoleBasics({ form }: { readonly form: FormState<RoleDraft> }) {
  const { roles: words } = useSettingsText();
  return (
    <>
      <Field field={form.field('name')} label={words.name} autocomplete="off" isProse />
      <Switch
        label={words.mentionable}
        hint={words.mentionableHint}
        isOn={form.draft.mentionable}
        onChange={(mentionable) => form.change({ mentionable })}
      />
    </>
  );
}

interface RoleDraft {
  readonly name: string;
  readonly mentionable: boolean;
  readonly permissions: readonly Permission[];
}

function useRoleForm(community: MyCommunity, role: Role) {
  const { requests } = useCommunities();
  const { channels: words } = useSettingsText();
  const isEveryone = role.id === community.id;
  return useSettingsForm<RoleDraft>({
    initial: {
      name: role.name,
      mentionable: role.mentionable ?? false,
      permissions: role.permissions,
    },
    check({ name }) {
      if (isEveryone) return {};
      const length = countCodePoints(typedText(name));
      const isLong = length > MOST_ROLE_NAME_CHARACTERS;
      return { name: length === 0 ? words.nameMissing : isLong ? words.nameLong : undefined };
    },
    async submit(draft) {
      const permissions = [...draft.permissions];
      const change: RoleChange = isEveryone
        ? { permissions }
        : { ...draft, name: draft.name.trim(), permissions };
      await requests.changeRole(community.id, role.id, change);
    },
  });
}
