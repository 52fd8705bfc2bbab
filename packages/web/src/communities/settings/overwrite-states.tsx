import type { ChannelKind, Permission, WrittenOverwrite } from '@hearth/protocol';
import { GROUP_NAMES, permissionsInChannel } from './permission-groups.ts';
import { stateOf, type OverwriteState } from './overwrite-state.ts';
import { useSettingsText } from './use-settings-text.ts';

interface StatesProps {
  readonly name: string;
  readonly overwrite: WrittenOverwrite;
  readonly kind: ChannelKind;
  /** Returns whether the reader may change what it says of a permission. */
  readonly mayChange: (permission: Permission) => boolean;
  readonly onChange: (permission: Permission, state: OverwriteState) => void;
}

/** Shows what an overwrite says of each permission that a channel can have. */
export function OverwriteStates({ name, overwrite, kind, mayChange, onChange }: StatesProps) {
  const words = useSettingsText();
  const { permissions } = words;
  const all = GROUP_NAMES.flatMap((group) => permissionsInChannel(group, kind));
  return (
    <>
      <p class="hint" aria-hidden="true">
        {STATES.map((each) => `${SIGNS[each]} ${words.overwrites.states[each]}`).join(' · ')}
      </p>
      {!all.every(mayChange) && <p class="hint">{words.overwrites.cannotChange}</p>}
      {GROUP_NAMES.map((group) => {
        const shown = permissionsInChannel(group, kind);
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
                isDisabled={!mayChange(permission)}
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
  readonly isDisabled: boolean;
  readonly onChange: (state: OverwriteState) => void;
}

function ThreeStates({ label, group, state, isDisabled, onChange }: ThreeProps) {
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
              disabled={isDisabled}
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
