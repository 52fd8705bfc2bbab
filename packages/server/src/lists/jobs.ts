import type { Deployment } from '../config/config.ts';
import { eraseAccount } from '../features/accounts/erasure/erase-account.ts';
import { exportAccount } from '../features/accounts/exports/export-account.ts';
import { sweepExports } from '../features/accounts/exports/remove-export.ts';
import { mailCodeJob } from '../features/accounts/mail-codes/mail-code-job.ts';
import { sweepMailCodes } from '../features/accounts/mail-codes/sweep-mail-codes.ts';
import { renewSkeletons } from '../features/accounts/users/renew-skeletons.ts';
import { sweepNames } from '../features/accounts/users/sweep-names.ts';
import { sweepAuditLog } from '../features/communities/audit/sweep-audit-log.ts';
import { removeRecent } from '../features/communities/bans/remove-recent.ts';
import { sweepBans } from '../features/communities/bans/sweep-bans.ts';
import { announceRestored } from '../features/communities/communities/announce-restored.ts';
import { sweepCommunityInvites } from '../features/communities/community-invites/sweep-community-invites.ts';
import { sweepTimeOuts } from '../features/communities/members/sweep-time-outs.ts';
import { purgeCommunities } from '../features/communities/purge/purge-communities.ts';
import { removeRoles } from '../features/communities/roles/remove-role.ts';
import { makePreview } from '../features/files/link-previews/make-preview.ts';
import { sweepPreviews } from '../features/files/link-previews/sweep-previews.ts';
import { removeComments } from '../features/forum/comments/remove-comments.ts';
import { makePeriodLists } from '../features/forum/post-lists/make-period-lists.ts';
import { sweepPostOrders } from '../features/forum/post-lists/post-orders.ts';
import { retitleCards } from '../features/forum/posts/retitle-cards.ts';
import { unlinkPost } from '../features/forum/posts/unlink-post.ts';
import { removeContents } from '../features/platform/contents/release-content.ts';
import { sweepGuesses } from '../features/platform/guesses/guess-limits.ts';
import type { JobKind } from '../features/platform/jobs/job-kind.ts';
import { sweepFailedJobs } from '../features/platform/jobs/manage-jobs.ts';
import { mailJob } from '../features/platform/mail/mail-job.ts';
import { sweepNonces } from '../features/platform/nonces/sweep-nonces.ts';
import type { InstanceContext } from '../instance-context.ts';
import { NameResolver } from '../lib/name-resolver.ts';
import { openOutbound } from '../lib/outbound/outbound.ts';
import { resolveName } from '../runtime/resolve-name.ts';
import { TABLES } from '../schema.ts';
import { ERASERS } from './erasers.ts';
import { EXPORT_PARTS } from './exports.ts';
import { PREVIEW_ANNOUNCERS } from './preview-announcers.ts';
import { PURGERS, PURGERS_AFTER_ROWS } from './purgers.ts';
import { RECENT_REMOVERS } from './recent-removers.ts';

/** Everything that a process of this deployment does in the background, by the features that do it. */
export function jobKinds(
  ctx: InstanceContext,
  { components, engines }: Pick<Deployment, 'components' | 'engines'>,
): readonly JobKind[] {
  const hasRest = components.includes('rest');
  // A process without a shared database is the whole instance: nobody else does what it leaves.
  const hasFiles = components.includes('files') || (hasRest && engines.databaseUrl === undefined);
  return [
    ...(hasRest ? jobsOfRest(ctx) : []),
    ...(hasFiles ? jobsOfFiles(ctx) : []),
    // An instance may have no file service, and must erase and remove all the same.
    ...(hasRest || hasFiles
      ? [
          eraseAccount(ctx, { erasers: ERASERS, tables: TABLES }),
          purgeCommunities(ctx, {
            purgers: PURGERS,
            afterRows: PURGERS_AFTER_ROWS,
            tables: TABLES,
          }),
        ]
      : []),
  ];
}

function jobsOfRest(ctx: InstanceContext): readonly JobKind[] {
  const { mailer } = ctx;
  return [
    sweepFailedJobs(ctx),
    sweepNames(ctx),
    renewSkeletons(ctx),
    sweepGuesses(ctx),
    sweepMailCodes(ctx),
    sweepNonces(ctx),
    sweepBans(ctx),
    sweepTimeOuts(ctx),
    sweepCommunityInvites(ctx),
    removeRecent(ctx, RECENT_REMOVERS),
    announceRestored(ctx),
    removeComments(ctx),
    unlinkPost(ctx),
    retitleCards(ctx),
    removeRoles(ctx),
    sweepAuditLog(ctx),
    sweepPostOrders(ctx),
    makePeriodLists(ctx),
    ...(mailer === undefined ? [] : [mailJob(mailer), mailCodeJob(ctx, mailer)]),
  ];
}

/** Jobs that read, write or remove files, which other processes cannot reach. */
function jobsOfFiles(ctx: InstanceContext): readonly JobKind[] {
  const names = new NameResolver({ lookUp: resolveName });
  const outbound = openOutbound({ resolve: (name) => names.resolve(name) });
  return [
    sweepExports(ctx),
    exportAccount(ctx, EXPORT_PARTS),
    removeContents(ctx),
    makePreview(ctx, { outbound, announcers: PREVIEW_ANNOUNCERS }),
    sweepPreviews(ctx),
  ];
}
