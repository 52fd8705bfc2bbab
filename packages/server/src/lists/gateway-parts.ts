import type { Id } from '@hearth/protocol';
import { connectionRules } from '../features/accounts/moderation/connection-rules.ts';
import { PauseNews } from '../features/accounts/moderation/pause-news.ts';
import { onSessionChange, sessionEndedBy } from '../features/accounts/sessions/session-ends.ts';
import { selectLastingSessions } from '../features/accounts/sessions/sessions.ts';
import { AudienceReads } from '../features/communities/audiences/audience-reads.ts';
import { Audiences } from '../features/communities/audiences/audiences.ts';
import { readFollowed, type FollowedKind } from '../features/communities/audiences/followed.ts';
import { audienceTest } from '../features/communities/structure/audience-test.ts';
import { outdateCommunities } from '../features/communities/structure/outdate-communities.ts';
import { Visits } from '../features/communities/visits/visits.ts';
import { MemberNews } from '../features/talk/member-news/member-news.ts';
import { OnlineNews } from '../features/talk/online/online-news.ts';
import { Presences } from '../features/talk/presence/presences.ts';
import { newWatched } from '../features/talk/watching/watchers.ts';
import { Watching } from '../features/talk/watching/watching.ts';
import type {
  GatewayAccounts,
  GatewayFeatures,
  GatewayHost,
  StartedFeatures,
} from '../gateway-host.ts';
import { accountOf } from '../http/authenticate.ts';
import type { InstanceContext } from '../instance-context.ts';
import { readForMembers, readSignIn } from './ready-parts.ts';
import { WATCHED_SIGNALS } from './watched-signals.ts';

const MS_A_MINUTE = 60_000;

export function gatewayParts(ctx: InstanceContext): GatewayFeatures {
  return { rules: connectionRules(ctx), audienceTest, start: (host) => startParts(ctx, host) };
}

function startParts(ctx: InstanceContext, host: GatewayHost): StartedFeatures {
  const { clock, database, log, presence, settings, signals } = ctx;
  const { hub, servers, arrivals, openCount } = host;
  const kinds = ctx.places.flatMap(({ followed }) => followed ?? []);
  const reads = audienceReads(ctx, host, kinds);
  const audiences = new Audiences({
    clock,
    kinds,
    database,
    log,
    arrivals,
    reads,
    hub,
    rememberedMs: settings.gateway.replay.minutes * MS_A_MINUTE,
    onPresence: (local) => presences.changed(local),
  });
  const mayGuestsRead = settings.lobby !== 'accounts';
  const visits = new Visits({ database, log, reads, audiences, hub, mayGuestsRead });
  const watchers = newWatched();
  const isWatched = (id: Id) => watchers.communities.has(id);
  const presences = new Presences({
    signals,
    clock,
    isWatched,
    onlineIn: (id) => audiences.onlineIn(id),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onChange: (...change) => watching.sendPresence(...change),
  });
  const watching = new Watching({
    ctx,
    hub,
    audiences,
    visits,
    presences,
    watchers,
    signals: (passing) =>
      new Map(WATCHED_SIGNALS.map(({ kind, open }) => [kind, open(ctx, passing)])),
  });
  return {
    accounts: gatewayAccounts(ctx),
    audiences,
    reads,
    watching,
    parts: [
      new OnlineNews({ presence, clock, servers, lobby: settings.lobby, own: openCount }),
      new PauseNews(ctx, servers),
      reads,
      audiences,
      presences,
      visits,
      watching,
      new MemberNews(ctx, watching, isWatched),
      outdateCommunities(ctx),
    ],
  };
}

function audienceReads(
  ctx: InstanceContext,
  { since }: GatewayHost,
  kinds: readonly FollowedKind[],
): AudienceReads {
  return new AudienceReads({
    database: ctx.database,
    since,
    kinds,
    queries: {
      followed: (by) => readFollowed(ctx, kinds, by),
      whole: (together) => readForMembers(ctx, together),
    },
  });
}

function gatewayAccounts(ctx: InstanceContext): GatewayAccounts {
  return {
    check: (token, address) => ctx.authentication.check(token, address),
    describe: (holder, address) => readSignIn(ctx, accountOf(holder, address)),
    endedBy: sessionEndedBy,
    onChange: (listener) => onSessionChange(ctx.database, listener),
    lasting: (sessions) => selectLastingSessions(ctx.database.reader, sessions),
  };
}
