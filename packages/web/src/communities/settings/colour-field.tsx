import { useId } from 'preact/hooks';
import { Switch } from '../../ui/switch.tsx';
import { useSettingsText } from './use-settings-text.ts';

const FIRST = '#b3401a';

interface ColourProps {
  readonly colour: string | undefined;
  readonly onChange: (colour: string | undefined) => void;
}

/** The colour of a role, if it has one. */
export function ColourField({ colour, onChange }: ColourProps) {
  const { roles: words } = useSettingsText();
  const id = useId();
  return (
    <div class="colour-field">
      <Switch
        label={words.colour}
        hint={colour === undefined ? words.noColour : colour}
        isOn={colour !== undefined}
        onChange={(isOn) => onChange(isOn ? FIRST : undefined)}
      />
      {colour !== undefined && (
        <>
          <label class="visually-hidden" for={id}>
            {words.colour}
          </label>
          <input
            id={id}
            class="colour-box"
            type="color"
            value={colour}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        </>
      )}
    </div>
  );
}
