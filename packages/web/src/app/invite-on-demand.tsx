import type { ComponentChildren } from 'preact';
import type { Invited } from '../communities/invite/invite-view.tsx';
import { useInstance } from '../instance/use-instance.ts';
import { useViews } from '../lib/views.ts';

interface InviteProps {
  readonly code: string;
  /** The page for a new account. */
  readonly register: (invited: Invited) => ComponentChildren;
}

/** The page of an invite: to a community, or to the instance. */
export function InviteOnDemand({ code, register }: InviteProps) {
  const { hasCommunities, wasAsked } = useInstance();
  const has = hasCommunities.value;
  const views = useViews('communities', has === true);
  if (has === false || (has === undefined && wasAsked.value))
    return <>{register({ invite: code })}</>;
  if (views === undefined) return null;
  return <views.InviteView code={code} register={register} />;
}
