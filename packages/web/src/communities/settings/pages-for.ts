import type { Permission } from '@hearth/protocol';
import { COMMUNITY_PAGES, type CommunityPage } from '../../settings/settings-pages.ts';
import type { MyCommunity } from '@hearth/sdk';

/** Any of these is enough for a page; pages without one are for every member. */
const NEEDED: Readonly<Partial<Record<CommunityPage, readonly Permission[]>>> = {
  overview: ['MANAGE_COMMUNITY'],
  channels: ['MANAGE_CHANNELS'],
  roles: ['MANAGE_ROLES'],
  invites: ['CREATE_INVITES', 'MANAGE_INVITES'],
  requests: ['KICK', 'MANAGE_INVITES'],
  bans: ['BAN'],
  audit: ['VIEW_AUDIT_LOG'],
};

/** The pages of the settings that somebody may use, in their order. */
export function pagesFor({
  permissions,
}: Pick<MyCommunity, 'permissions'>): readonly CommunityPage[] {
  return COMMUNITY_PAGES.filter((page) => {
    const needed = NEEDED[page];
    return needed === undefined || needed.some((each) => permissions.has(each));
  });
}
