import type { ComponentChildren } from 'preact';
import { useInstance } from '../instance/use-instance.ts';
import { useCommunityViews } from '../communities/use-community-views.ts';

interface InviteProps {
  readonly code: string;
  /** The page for a new account, for codes that invite to the instance. */
  readonly register: ComponentChildren;
}

/** The page of an invite: to a community, or to the instance. */
export function InviteOnDemand({ code, register }: InviteProps) {
  const { hasCommunities, wasAsked } = useInstance();
  const has = hasCommunities.value;
  const views = useCommunityViews(has === true);
  if (has === false || (has === undefined && wasAsked.value)) return <>{register}</>;
  if (views === undefined) return null;
  return <views.InviteView code={code} register={register} />;
}
