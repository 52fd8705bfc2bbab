import type { Id, OwnUser, Session } from '@hearth/protocol';
import type { Authentication, TokenHolder } from '../../authentication.ts';
import type { Context } from '../../context.ts';
import { findAudiences, findAudiencesOfUsers } from '../../features/audiences/find-audiences.ts';
import { readOwnCommunities } from '../../features/communities/find-own-communities.ts';
import type { KeepsCommunities } from '../../features/structure/known-communities.ts';
import type { StoredMember } from '../../features/structure/known-members.ts';
import { findNotificationSettings } from '../../features/notification-settings/find-settings.ts';
import { findReadStates } from '../../features/read-states/find-read-states.ts';
import { describeSignedIn } from '../../features/sessions/describe-signed-in.ts';
import { findLastingSessions } from '../../features/sessions/find-lasting-sessions.ts';
import { userOf } from '../../http/authenticate.ts';
import type { CommunityQueries, DescribeWhole } from './audience-reads.ts';

/** What the gateway asks about accounts and their communities. */
export interface GatewayAccounts extends Authentication, CommunityQueries {
  /** A user at an address, and the session that asks. Rejects with UnauthorizedError if it has ended. */
  describe(
    holder: TokenHolder,
    address: string,
  ): Promise<{ readonly user: OwnUser; readonly session: Session }>;

  /** Which of these sessions have not ended. */
  lasting(sessions: readonly Id[]): Promise<ReadonlySet<Id>>;
}

/** The accounts of an instance. */
export function gatewayAccounts(ctx: Context & KeepsCommunities): GatewayAccounts {
  return {
    check: (token, address) => ctx.authentication.check(token, address),
    describe: (holder, address) => describeSignedIn(ctx, userOf(holder, address)),
    lasting: (sessions) => findLastingSessions(ctx, sessions),
    ofUsers: (users) => findAudiencesOfUsers(ctx, users),
    ofCommunities: (communities, users) => findAudiences(ctx, { communities, users }),
    whole: (communities, members) => readWhole(ctx, communities, members),
  };
}

async function readWhole(
  ctx: Context & KeepsCommunities,
  communities: readonly Id[],
  members: readonly StoredMember[],
): Promise<DescribeWhole> {
  const [describeOwn, readStatesOf, settingsOf] = await Promise.all([
    readOwnCommunities(ctx, communities),
    findReadStates(ctx, members),
    findNotificationSettings(ctx, members),
  ]);
  return (user, memberships) => ({
    communities: [...describeOwn(memberships)],
    read_states: [...readStatesOf(user)],
    notification_settings: [...settingsOf(user)],
  });
}
