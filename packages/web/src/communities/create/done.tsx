import { useId } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { communityPath } from '../paths.ts';
import { useCommunityText } from '../use-community-text.ts';
import type { Made } from './new-community.ts';

/** The community is there: its invite link, and the way in. */
export function Done({ made: { community, inviteCode, isPartial } }: { readonly made: Made }) {
  const { create: words } = useCommunityText();
  const navigation = useNavigation();
  return (
    <div class="create-done">
      {isPartial && (
        <p class="form-problem" role="alert">
          {words.doneNotAll}
        </p>
      )}
      {inviteCode !== undefined && (
        <>
          <p>{words.doneText}</p>
          <LinkBox
            label={words.inviteLink}
            copy={words.copyInvite}
            url={navigation.urlOf(webPath('invite', { code: inviteCode }))}
          />
        </>
      )}
      <a
        class="button button-primary"
        href={ownPath(communityPath(community.slug))}
        data-replaces
        autofocus
      >
        {words.enter}
      </a>
    </div>
  );
}

interface BoxProps {
  readonly label: string;
  /** The name of the button. */
  readonly copy: string;
  readonly url: string;
}

/** A link to be copied. */
export function LinkBox({ label, copy, url }: BoxProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="link-box">
        <input
          id={id}
          class="text-field"
          type="text"
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton class="icon-button" label={copy} text={url} />
      </div>
    </div>
  );
}
