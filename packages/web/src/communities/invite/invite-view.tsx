import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { webPath, type UserSummary } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import type { Asked } from '../../lib/asked.ts';
import { Avatar } from '../../account/avatar.tsx';
import { joinAfterwards, returnTo, takeJoining } from '../../account/return-path.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { Loaded } from '../../conversation/loaded.tsx';
import { useAccountText } from '../../account/use-account-text.ts';
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
        if (invitation === undefined) return <Gone />;
        const { registers, community } = invitation;
        if (isRegistering) {
          // Where anybody may register, an invite that registers nobody still lets them join afterwards.
          return (
            <>{register({ ...(registers && { invite: code }), community: community?.name })}</>
          );
        }
        return community === undefined ? (
          <ServerCard invitation={invitation} onRegister={begin} />
        ) : (
          <CommunityCard invitation={{ ...invitation, community }} onRegister={begin} />
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

/** It leads nowhere, or does so no more. */
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

interface StepProps {
  readonly onRegister: () => void;
}

interface ServerProps extends StepProps {
  readonly invitation: Invitation;
}

/** An invite to the instance, or the one that makes the account of its owner. */
function ServerCard({ invitation, onRegister }: ServerProps) {
  const { kind, registers, expires_at: expiresAt } = invitation;
  const { info } = useInstance();
  const { invite: words } = useCommunityText();
  const formats = useFormats();
  const account = useAccounts().current.value;
  const { register } = useAccountText();
  const isOwners = kind === 'owner';
  const name = info.instance_name;
  return (
    <main class="welcome invite">
      <div class="invite-card">
        <div class="invite-band" />
        <PlaceIcon name={name} picture={undefined} size={72} />
        <h1 class="account-title">{isOwners ? register.ownerTitle : words.serverTitle(name)}</h1>
        {isOwners && <p class="about-text">{register.ownerText(name)}</p>}
        {account === undefined && registers && (
          <button type="button" class="button button-primary" onClick={onRegister}>
            {isOwners ? words.ownerJoin : words.join(name)}
          </button>
        )}
        {account === undefined && !registers && <p class="hint">{words.closed}</p>}
        {account !== undefined && (
          <div class="form-end">
            <p class="hint">{words.hasAccount}</p>
            <a class="button button-primary" href={ownPath(webPath('home', {}))}>
              {words.open}
            </a>
          </div>
        )}
        {expiresAt !== undefined && <p class="hint">{words.until(formats.moment(expiresAt))}</p>}
      </div>
    </main>
  );
}

type CommunityInvitation = Invitation & Required<Pick<Invitation, 'community'>>;

interface CardProps extends StepProps {
  readonly invitation: CommunityInvitation;
}

function CommunityCard({ invitation, onRegister }: CardProps) {
  const { community, created_by: maker, expires_at: expiresAt } = invitation;
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
        <h1 class="account-title">
          {maker === undefined ? words.title(name) : words.titleBy(nameOfPerson(maker), name)}
        </h1>
        <div class="invite-members">
          <Faces members={invitation.members ?? []} />
          <p class="hint">
            {frame.members(count, formats.count(count))} · {info.instance_name}
          </p>
        </div>
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

/** Decorative: their number stands beside them. */
function Faces({ members }: { readonly members: readonly UserSummary[] }) {
  if (members.length === 0) return null;
  return (
    <span class="invite-faces" aria-hidden="true">
      {members.map(({ id, username, avatar }) => (
        <Avatar key={id} name={username} picture={avatar} size={28} />
      ))}
    </span>
  );
}

function Accept({ invitation, onRegister }: CardProps) {
  const { community } = invitation;
  const communities = useCommunities();
  const { invite: words } = useCommunityText();
  const account = useAccounts().current.value;
  const { accept, isBusy, problem } = useAccepting(invitation);
  const isSignedIn = account?.token !== undefined;
  const { code } = invitation;
  useEffect(() => {
    // Somebody who has signed in to join has said so before; what was noted is forgotten.
    if (isSignedIn && takeJoining(code)) accept();
  }, [isSignedIn, code, accept]);
  if (!isSignedIn) return <Enter invitation={invitation} onRegister={onRegister} />;
  if (!isBusy && communities.ownBySlug(community.slug) !== undefined) {
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
function Enter({ invitation, onRegister }: CardProps) {
  const { code, community, registers, created_by: maker } = invitation;
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
        onClick={() => {
          returnTo(webPath('invite', { code }));
          joinAfterwards(code);
        }}
      >
        {isNew ? words.haveAccount : words.signIn}
      </a>
      {account === undefined && !mayRegister && (
        <p class="hint">
          {mode === 'closed'
            ? words.closed
            : words.registersNobody(maker === undefined ? undefined : nameOfPerson(maker))}
        </p>
      )}
      {isNew && mode === 'approval' && <p class="hint">{words.approval}</p>}
    </div>
  );
}

function useAccepting({ code, community, channel_id: channelId }: CommunityInvitation) {
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
