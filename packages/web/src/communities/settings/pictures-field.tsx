import { useRef } from 'preact/hooks';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { PictureButtons } from '../create/icon-field.tsx';
import { PlaceIcon } from '../frame/place-icon.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { useCommunities } from '../use-communities.ts';
import { Outcome } from './outcome.tsx';
import { useAct } from './use-act.ts';
import { useSettingsText } from './use-settings-text.ts';

/** The pictures of a community, each of which is saved at once. */
export function PicturesField({ community }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { overview: words } = useSettingsText();
  const act = useAct();
  const { id, icon, name } = community;
  const set = (field: 'icon' | 'banner', picture: Blob | undefined) =>
    void act.run(async () => {
      const file = picture === undefined ? null : await requests.uploadPicture(picture);
      await requests.change(id, { [field]: file });
    });
  return (
    <div class="settings-rows" aria-busy={act.isBusy}>
      <div class="picture-field">
        <PlaceIcon name={name} picture={icon} size={72} />
        <div>
          <p class="field-label">{words.icon}</p>
          <PictureButtons
            hasPicture={icon !== undefined}
            onPicked={(picture) => set('icon', picture)}
            onRemoved={() => set('icon', undefined)}
          />
        </div>
      </div>
      <BannerField community={community} onChange={(banner) => set('banner', banner)} />
      <Outcome act={act} />
    </div>
  );
}

interface BannerProps {
  readonly community: MyCommunity;
  readonly onChange: (banner: Blob | undefined) => void;
}

function BannerField({ community: { banner }, onChange }: BannerProps) {
  const words = useSettingsText();
  const { media } = useAttachments();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="banner-field">
      <p class="field-label">{words.overview.banner}</p>
      {banner !== undefined && (
        <img class="about-banner" src={media.url(banner, media.sizeFor(640))} alt="" />
      )}
      <div class="form-end">
        <button type="button" class="button" onClick={() => input.current?.click()}>
          {banner === undefined ? words.overview.choose : words.overview.change}
        </button>
        {banner !== undefined && (
          <button type="button" class="button button-plain" onClick={() => onChange(undefined)}>
            {words.remove}
          </button>
        )}
      </div>
      <p class="hint">{words.overview.bannerHint}</p>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) onChange(file);
        }}
      />
    </div>
  );
}
