import { useState } from 'preact/hooks';
import { webPath, type Community } from '@hearth/protocol';
import { returnTo } from '../../account/return-path.ts';
import { useAccounts } from '../../account/use-accounts.ts';
import { ownPath } from '../../lib/own-path.ts';
import { useFailureText } from '../describe-failure.ts';
import { communityPath } from '../paths.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { useFarewell } from './gone.tsx';

/** Below a community that the reader looks at: how to become a member. */
export function JoinBar({ community }: { readonly community: Community }) {
  const { frame: words } = useCommunityText();
  const account = useAccounts().current.value;
  const communities = useCommunities();
  const { state, problem, join } = useJoining(community);
  const { join: mode, slug } = community;
  const farewell = useFarewell(slug);
  const isBanned = communities.removals.at(slug)?.reason === 'banned';
  return (
    <section class="join-bar" aria-label={words.join}>
      <p role="status">{state === 'asked' ? words.asked : (farewell ?? words.preview)}</p>
      {isBanned ? null : account === undefined ? (
        <a
          class="button button-primary"
          href={ownPath(webPath('signIn', {}))}
          onClick={() => returnTo(communityPath(community.slug))}
        >
          {words.signInToJoin}
        </a>
      ) : (
        <JoinButton mode={mode} isBusy={state === 'busy'} isDone={state === 'asked'} join={join} />
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
    </section>
  );
}

interface ButtonProps {
  readonly mode: Community['join'];
  readonly isBusy: boolean;
  readonly isDone: boolean;
  readonly join: () => void;
}

/** Joins at once, or asks. */
export function JoinButton({ mode, isBusy, isDone, join }: ButtonProps) {
  const { frame: words } = useCommunityText();
  if (mode === 'invite') return <p class="hint">{words.inviteOnly}</p>;
  if (isDone) return null;
  return (
    <button
      type="button"
      class="button button-primary"
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) join();
      }}
    >
      {mode === 'request' ? words.ask : words.join}
    </button>
  );
}

/** Joins a community, or asks to. */
export function useJoining(community: Community) {
  const communities = useCommunities();
  const describe = useFailureText();
  const [state, setState] = useState<'idle' | 'busy' | 'asked'>('idle');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const join = async () => {
    setState('busy');
    setProblem(undefined);
    try {
      await communities.join(community);
      setState(community.join === 'request' ? 'asked' : 'idle');
    } catch (error) {
      setState('idle');
      setProblem(describe(error));
    }
  };
  return { state, problem, join: () => void join() };
}
