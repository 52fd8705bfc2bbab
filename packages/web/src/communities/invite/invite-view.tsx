import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { webPath } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import type { Asked } from '../../lib/asked.ts';
import { returnTo } from '../../account/return-path.ts';
import { Loaded } from '../../conversation/loaded.tsx';
import { useAccounts } from '../../account/use-accounts.ts';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { useInstance } from '../../instance/use-instance.ts';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { useNavigation } from '../../ui/use-navigation.ts';
import type { CommunityRequests } from '../community-source.ts';
import { PlaceIcon } from '../frame/place-icon.tsx';
import { channelPath, communityPath } from '../paths.ts';
import { useFailureText } from '../describe-failure.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import type { Invitation } from '../wire.ts';

interface InviteProps {
  readonly code: string;
  /** Shown to somebody without an account if the code is not that of a community. */
  readonly register: ComponentChildren;
}

/** The page of an invite. Loaded on use. */
export function InviteView({ code, register }: InviteProps) {
  const { requests } = useCommunities();
  const account = useAccounts().current.value;
  const asked = useMemo(() => askFor(code, requests), [code, requests]);
  useEffect(() => void asked.load(), [asked]);
  return (
    <Loaded asked={asked.state.value} onRetry={() => void asked.load()}>
      {(invitation) => {
        if (invitation !== undefined) return <Invited invitation={invitation} />;
        return account === undefined ? <>{register}</> : <Gone />;
      }}
    </Loaded>
  );
}

/** What an invite leads to; undefined if that is no community. */
function askFor(code: string, requests: Pick<CommunityRequests, 'invitation'>) {
  const state = signal<Asked<Invitation | undefined>>({ state: 'loading' });
  return {
    state,
    async load() {
      state.value = { state: 'loading' };
      try {
        state.value = { state: 'there', value: await requests.invitation(code) };
      } catch (error) {
        state.value =
          error instanceof NotFoundError
            ? { state: 'there', value: undefined }
            : { state: 'failed', error };
      }
    },
  };
}

function Gone() {
  const { invite: words } = useCommunityText();
  const { places } = useText().shell;
  return (
    <main class="not-found">
      <h1>{words.goneTitle}</h1>
      <p>{words.goneText}</p>
      <a class="button button-primary" href={ownPath(webPath('home', {}))}>
        {places.toLobby}
      </a>
    </main>
  );
}

function Invited({ invitation }: { readonly invitation: Invitation }) {
  const { community, expires_at: expiresAt } = invitation;
  const { info } = useInstance();
  const { media } = useAttachments();
  const { invite: words, frame } = useCommunityText();
  const formats = useFormats();
  const { name, icon, banner, description, member_count: count } = community;
  return (
    <main class="welcome invite">
      <div class="invite-card">
        {banner === undefined ? (
          <div class="invite-band" />
        ) : (
          <img class="invite-band" src={media.url(banner, media.sizeFor(800))} alt="" />
        )}
        <PlaceIcon name={name} picture={icon} size={72} />
        <h1 class="account-title">{words.title(name)}</h1>
        <p class="hint">
          {frame.members(count, formats.count(count))} · {info.instance_name}
        </p>
        {description !== undefined && <p class="about-text">{description}</p>}
        <Accept invitation={invitation} />
        {expiresAt !== undefined && <p class="hint">{words.until(formats.moment(expiresAt))}</p>}
      </div>
    </main>
  );
}

function Accept({ invitation }: { readonly invitation: Invitation }) {
  const { code, community } = invitation;
  const communities = useCommunities();
  const { invite: words } = useCommunityText();
  const { registration } = useInstance();
  const account = useAccounts().current.value;
  const { accept, isBusy, problem } = useAccepting(invitation);
  if (account?.token === undefined) {
    const comeBack = () => returnTo(webPath('invite', { code }));
    return (
      <div class="form-end">
        <a class="button button-primary" href={ownPath(webPath('signIn', {}))} onClick={comeBack}>
          {words.signIn}
        </a>
        {registration.value !== 'closed' && (
          <a class="button" href={ownPath(webPath('register', {}))} onClick={comeBack}>
            {words.register}
          </a>
        )}
      </div>
    );
  }
  if (communities.ownBySlug(community.slug) !== undefined) {
    return (
      <div class="form-end">
        <p class="success">{words.isMember}</p>
        <a class="button button-primary" href={ownPath(communityPath(community.slug))}>
          {words.open}
        </a>
      </div>
    );
  }
  return (
    <>
      <button
        type="button"
        class="button button-primary"
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) accept();
        }}
      >
        {isBusy && <span class="spinner" aria-hidden="true" />}
        <span>{words.join(community.name)}</span>
      </button>
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}

function useAccepting({ code, community, channel_id: channelId }: Invitation) {
  const { requests } = useCommunities();
  const navigation = useNavigation();
  const describe = useFailureText();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { slug } = community;
  const accept = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await requests.acceptInvitation(code);
      const path = channelId === undefined ? communityPath(slug) : channelPath(slug, channelId);
      navigation.goTo(navigation.urlOf(path), { isReplacing: true });
    } catch (error) {
      setProblem(describe(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { accept: () => void accept(), isBusy, problem };
}
