import type { KnownChannel, KnownCommunity } from './known-communities.ts';

/** Whether everybody may do the same in a community before and after a change, in the channels that there are before and after. */
export function haveSameRights(before: KnownCommunity, after: KnownCommunity): boolean {
  if (rightsText(before) !== rightsText(after)) return false;
  return before.channelById.values().every((channel) => {
    const changed = after.channelById.get(channel.id);
    return changed === undefined || channelText(channel) === channelText(changed);
  });
}

function rightsText({ owner_id: ownerId, roles, stored }: KnownCommunity): string {
  return JSON.stringify([ownerId, stored.visibility, stored.join, [...roles]]);
}

function channelText({ kind, levels, postSettings }: KnownChannel): string {
  return JSON.stringify([kind, levels, postSettings]);
}
