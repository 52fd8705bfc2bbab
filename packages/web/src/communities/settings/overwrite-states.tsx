import type { Permission, WrittenOverwrite } from '@hearth/protocol';
import { GROUP_NAMES, NOT_OF_CHANNELS, permissionsIn } from './permission-groups.ts';
import { stateOf, type OverwriteState } from './overwrite-state.ts';
import { useSettingsText } from './use-settings-text.ts';

interface StatesProps {
  readonly name: string;
  readonly overwrite: WrittenOverwrite;
  readonly isPost: boolean;
  readonly onChange: (permission: Permission, state: OverwriteState) => void;
}

/** What an overwrite says of each permission that a channel can have. */
export function OverwriteStates({ name, overwrite, isPost, onChange }: StatesProps) {
  const words = useSettingsText();
  const { permissions } = words;
  const groups = GROUP_NAMES.filter((group) => group !== (isPost ? 'messages' : 'posts'));
  return (
    <>
      <p class="hint" aria-hidden="true">
        {STATES.map((each) => `${SIGNS[each]} ${words.overwrites.states[each]}`).join(' · ')}
      </p>
      {groups.map((group) => {
        const shown = permissionsIn(group).filter((each) => !NOT_OF_CHANNELS.has(each));
        if (shown.length === 0) return null;
        return (
          <fieldset key={group} class="permission-group">
            <legend>{permissions.groups[group]}</legend>
            {shown.map((permission) => (
              <ThreeStates
                key={permission}
                label={permissions.names[permission].name}
                group={words.overwrites.group(permissions.names[permission].name, name)}
                state={stateOf(overwrite, permission)}
                onChange={(state) => onChange(permission, state)}
              />
            ))}
          </fieldset>
        );
      })}
    </>
  );
}

const STATES = ['deny', 'inherit', 'allow'] as const;

const SIGNS = { deny: '✕', inherit: '–', allow: '✓' } as const;

interface ThreeProps {
  readonly label: string;
  readonly group: string;
  readonly state: OverwriteState;
  readonly onChange: (state: OverwriteState) => void;
}

function ThreeStates({ label, group, state, onChange }: ThreeProps) {
  const { overwrites: words } = useSettingsText();
  return (
    <div class="three-states" role="radiogroup" aria-label={group}>
      <span>{label}</span>
      <span class="three-values">
        {STATES.map((each) => (
          <label key={each} data-state={each} title={words.states[each]}>
            <input
              type="radio"
              name={group}
              checked={each === state}
              aria-label={words.states[each]}
              onChange={() => onChange(each)}
            />
            <span aria-hidden="true">{SIGNS[each]}</span>
          </label>
        ))}
      </span>
    </div>
  );
}
