import type { Permission } from '@hearth/protocol';
import { Switch } from '../../ui/switch.tsx';
import { GROUP_NAMES, permissionsIn } from './permission-groups.ts';
import { useSettingsText } from './use-settings-text.ts';

interface ListProps {
  readonly given: ReadonlySet<Permission>;
  /** Returns whether the reader may give and take a permission. */
  readonly mayGive: (permission: Permission) => boolean;
  readonly onChange: (permission: Permission, isGiven: boolean) => void;
}

/** Shows what a role lets people do, with an explanation of each permission. */
export function PermissionList({ given, mayGive, onChange }: ListProps) {
  const { permissions: words } = useSettingsText();
  return (
    <>
      {GROUP_NAMES.filter((group) => permissionsIn(group).length > 0).map((group) => (
        <fieldset key={group} class="permission-group">
          <legend>{words.groups[group]}</legend>
          {permissionsIn(group).map((permission) => (
            <Switch
              key={permission}
              label={words.names[permission].name}
              hint={words.names[permission].hint}
              isOn={given.has(permission)}
              isDisabled={!mayGive(permission)}
              onChange={(isOn) => onChange(permission, isOn)}
            />
          ))}
        </fieldset>
      ))}
    </>
  );
}
