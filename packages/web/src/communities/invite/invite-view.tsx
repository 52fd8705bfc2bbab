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
import { useCovers } from '../../ui/use-covers.ts';
import { useNavigation } from '../../ui/use-navigation.ts';
import type { CommunityRequests } from '../community-source.ts';
import { PlaceIcon } from '../frame/place-icon.tsx';
import { communityPath, joinedPath } from '../paths.ts';
import { useFailureText } from '../describe-failure.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import type { Invitation } from '../wire.ts';

/** With what somebody registers. */
export interface Invited {
  /** The code; undefined if nobody can register with it. */
  readonly invite?: string | undefined;
  /** The name of the community that it is to, if it is to one. */
  readonly community?: string | undefined;
}

interface InviteProps {
  readonly code: string;
  /** The page for a new account. */
  readonly register: (invited: Invited) => ComponentChildren;
}

/** The page of an invite. Loaded on use. */
export function InviteView({ code, register }: InviteProps) {
  const { requests } = useCommunities();
  const asked = useMemo(() => askFor(code, requests), [code, requests]);
  const { isRegistering, begin } = useRegisterStep(code);
  useEffect(() => void asked.load(), [asked]);
  return (
    <Loaded asked={asked.state.value} onRetry={() => void asked.load()}>
      {(invitation) => {
        if (invitation === undefined) {
          return isRegistering ? <>{register({ invite: code })}</> : <Gone onRegister={begin} />;
        }
        const { registers, community } = invitation;
        // Where anybody may register, an invite that registers nobody still lets them join afterwards.
        return isRegistering ? (
          <>{register({ ...(registers && { invite: code }), community: community.name })}</>
        ) : (
          <InviteCard invitation={invitation} onRegister={begin} />
        );
      }}
    </Loaded>
  );
}

/** Keeps whether somebody registers, in place of the card; Back leads to the card again. */
function useRegisterStep(code: string) {
  const covers = useCovers();
  const [isRegistering, setIsRegistering] = useState(false);
  useEffect(
    () => (isRegistering ? covers.cover(() => setIsRegistering(false)) : undefined),
    [covers, isRegistering],
  );
  const begin = () => {
    returnTo(webPath('invite', { code }));
    setIsRegistering(true);
  };
  return { isRegistering, begin };
}

/** Asks what an invite leads to; undefined if that is no community. */
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

interface StepProps {
  readonly onRegister: () => void;
}

/** It leads to no community, or does so no more. Without an account, somebody may have a code of the instance. */
function Gone({ onRegister }: StepProps) {
  const { invite: words } = useCommunityText();
  const { places } = useText().shell;
  const { registration } = useInstance();
  const account = useAccounts().current.value;
  const mayRegister = account === undefined && registration.value !== 'closed';
  return (
    <main class="not-found">
      <h1>{words.goneTitle}</h1>
      <p>{words.goneText}</p>
      <a class="button button-primary" href={ownPath(webPath('home', {}))}>
        {places.toLobby}
      </a>
      {mayRegister && (
        <button type="button" class="button" onClick={onRegister}>
          {words.tryToRegister}
        </button>
      )}
    </main>
  );
}

interface CardProps extends StepProps {
  readonly invitation: Invitation;
}

function InviteCard({ invitation, onRegister }: CardProps) {
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
        {description !== undefined && (
          <p class="about-text" dir="auto">
            {description}
          </p>
        )}
        <Accept invitation={invitation} onRegister={onRegister} />
        {expiresAt !== undefined && <p class="hint">{words.until(formats.moment(expiresAt))}</p>}
      </div>
    </main>
  );
}

function Accept({ invitation, onRegister }: CardProps) {
  const { community } = invitation;
  const communities = useCommunities();
  const { invite: words } = useCommunityText();
  const account = useAccounts().current.value;
  const { accept, isBusy, problem } = useAccepting(invitation);
  if (account?.token === undefined) {
    return <Enter invitation={invitation} onRegister={onRegister} />;
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

/** The ways in for somebody who is not signed in. */
function Enter({ invitation: { code, community, registers }, onRegister }: CardProps) {
  const { invite: words } = useCommunityText();
  const { registration } = useInstance();
  const account = useAccounts().current.value;
  const mode = registration.value;
  const mayRegister = mode !== 'closed' && (registers || mode === 'open' || mode === 'approval');
  // Somebody whose session has ended has an account.
  const isNew = account === undefined && mayRegister;
  return (
    <div class="form-end">
      {isNew && (
        <button type="button" class="button button-primary" onClick={onRegister}>
          {words.join(community.name)}
        </button>
      )}
      <a
        class={isNew ? 'button' : 'button button-primary'}
        href={ownPath(webPath('signIn', {}))}
        onClick={() => returnTo(webPath('invite', { code }))}
      >
        {isNew ? words.haveAccount : words.signIn}
      </a>
      {account === undefined && !mayRegister && (
        <p class="hint">{mode === 'closed' ? words.closed : words.registersNobody}</p>
      )}
      {isNew && mode === 'approval' && <p class="hint">{words.approval}</p>}
    </div>
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
      const { channels } = await requests.acceptInvitation(code);
      const path = joinedPath(slug, channels, channelId);
      navigation.goTo(navigation.urlOf(path), { isReplacing: true });
    } catch (error) {
      setProblem(describe(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { accept: () => void accept(), isBusy, problem };
}
