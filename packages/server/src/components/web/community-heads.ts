import { WEB_PLACES, type Community } from '@hearth/protocol';
import { ANYONE } from '../../actor.ts';
import type { CommunityContext } from '../../features/communities/community-context.ts';
import { findCommunityBySlug } from '../../features/communities/find-community.ts';
import { findInvite } from '../../features/community-invites/find-invite.ts';
import { within } from '../../lib/within.ts';
import type { HeadOf, Heads, PageHead } from './page-head.ts';

/** The page does not wait longer for the database. */
const LONGEST_WAIT_MS = 500;

/** Requests to the page count against no limit, so that is all that they may ask of the database at a time. */
const MOST_AT_A_TIME = 8;

type Described = Pick<Community, 'name' | 'description' | 'icon' | 'banner'>;

/** What everyone may read about communities and invites. Nothing that needs an account, or the access code, is said. */
export function communityHeads(ctx: CommunityContext): Heads {
  let running = 0;
  const limited =
    (find: HeadOf): HeadOf =>
    async (params) => {
      if (running >= MOST_AT_A_TIME) return undefined;
      running += 1;
      const found = find(params).finally(() => {
        running -= 1;
      });
      return await within(found, LONGEST_WAIT_MS);
    };
  const ofSlug = limited(async ({ slug = '' }) => {
    const community = await findCommunityBySlug(ctx, ANYONE, { slug });
    // One that was deleted is seen by its owner only, and a private one by its members.
    return headOf(community, community.visibility === 'public');
  });
  const ofCode = limited(async ({ code = '' }) => {
    const { community } = await findInvite(ctx, ANYONE, { code });
    return headOf(community, false);
  });
  return new Map([
    [WEB_PLACES.community, ofSlug],
    [WEB_PLACES.channel, ofSlug],
    [WEB_PLACES.channelMessage, ofSlug],
    [WEB_PLACES.invite, ofCode],
  ]);
}

function headOf({ name, description, icon, banner }: Described, isListed: boolean): PageHead {
  return { title: name, description, picture: icon ?? banner, isListed };
}
