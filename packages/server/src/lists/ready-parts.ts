import type { Account } from '../actor.ts';
import { sessionPart } from '../features/accounts/sessions/list-sessions.ts';
import { userPart } from '../features/accounts/users/find-user.ts';
import type { DescribeWhole } from '../features/communities/audiences/audience-reads.ts';
import type { ReadTogether } from '../features/communities/audiences/ready-part.ts';
import { ownCommunitiesPart } from '../features/communities/communities/find-own-communities.ts';
import { notificationSettingsPart } from '../features/talk/notification-settings/find-settings.ts';
import { readStatesPart } from '../features/talk/read-states/find-read-states.ts';
import type { ReadyState } from '../gateway-host.ts';
import type { InstanceContext } from '../instance-context.ts';

/** Parts of READY about who signs in. */
export const SIGN_IN_PARTS = [userPart, sessionPart] as const;

export const MEMBER_PARTS = [ownCommunitiesPart, readStatesPart, notificationSettingsPart] as const;

/** Reads what READY says about who signs in. Rejects with UnauthorizedError if the account or the session has ended. */
export async function readSignIn(ctx: InstanceContext, actor: Account): Promise<ReadyState> {
  return stateOf(
    await Promise.all(
      SIGN_IN_PARTS.map(async ({ key, read }) => [key, await read(ctx, actor)] as const),
    ),
  );
}

/** Reads what READY says to all of these users about their communities and other places. */
export async function readForMembers(
  ctx: InstanceContext,
  together: ReadTogether,
): Promise<DescribeWhole> {
  const parts = await Promise.all(
    MEMBER_PARTS.map(async ({ key, read }) => [key, await read(ctx, together)] as const),
  );
  return (user, memberships) =>
    stateOf(parts.map(([key, describe]) => [key, describe(user, memberships)]));
}

function stateOf(entries: readonly (readonly [key: keyof ReadyState, value: unknown])[]) {
  // Guarantee: each value was read by the part that has its key.
  return Object.fromEntries(entries) as ReadyState;
}
