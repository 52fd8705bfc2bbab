import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CropDialog } from '../../account/settings/crop-dialog.tsx';
import { PlaceIcon } from '../frame/place-icon.tsx';
import { useCommunityText } from '../use-community-text.ts';

interface IconProps {
  readonly name: string;
  readonly icon: Blob | undefined;
  readonly onChange: (icon: Blob | undefined) => void;
}

/** The icon of a community that is not there yet. */
export function IconField({ name, icon, onChange }: IconProps) {
  const { create: words } = useCommunityText();
  const url = useMemo(() => (icon === undefined ? undefined : URL.createObjectURL(icon)), [icon]);
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);
  return (
    <div class="picture-field">
      {url === undefined ? (
        <PlaceIcon name={name.trim() === '' ? '?' : name} picture={undefined} size={72} />
      ) : (
        <img class="place-icon" data-size="72" src={url} width={72} height={72} alt="" />
      )}
      <div>
        <p class="field-label">{words.icon}</p>
        <PictureButtons
          hasPicture={icon !== undefined}
          onPicked={onChange}
          onRemoved={() => onChange(undefined)}
        />
      </div>
    </div>
  );
}

interface ButtonsProps {
  readonly hasPicture: boolean;
  readonly onPicked: (picture: Blob) => void;
  readonly onRemoved: () => void;
}

/** Chooses a picture and its part, or removes it. */
export function PictureButtons({ hasPicture, onPicked, onRemoved }: ButtonsProps) {
  const { create: words } = useCommunityText();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<ImageBitmap | undefined>(undefined);
  const [hasFailed, setHasFailed] = useState(false);
  const choose = (file: File) => {
    setHasFailed(false);
    createImageBitmap(file).then(setChosen, () => setHasFailed(true));
  };
  return (
    <>
      <div class="form-end">
        <button type="button" class="button" onClick={() => input.current?.click()}>
          {hasPicture ? words.changeIcon : words.chooseIcon}
        </button>
        {hasPicture && (
          <button type="button" class="button button-plain" onClick={onRemoved}>
            {words.removeIcon}
          </button>
        )}
      </div>
      <p class="problem" role="alert">
        {hasFailed && words.iconProblem}
      </p>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) choose(file);
        }}
      />
      {chosen !== undefined && (
        <CropDialog
          picture={chosen}
          onCropped={(picture) => {
            setChosen(undefined);
            onPicked(picture);
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
