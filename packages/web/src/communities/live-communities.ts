import { batch, type Signal } from '@preact/signals';
import { parseId, type Id, type NotificationSetting } from '@hearth/protocol';
import type { ChannelClient, Client, CommunitiesClient, MyCommunity } from '@hearth/sdk';
import { addCommunities } from '@hearth/sdk/communities';
import type { CommunityRequests, ReadMark, RemovedCommunity } from './community-source.ts';

/** What is known of the reader's communities, as the client reports it. */
export interface LiveNews {
  readonly communities: Signal<readonly MyCommunity[] | undefined>;
  readonly removed: Signal<ReadonlyMap<Id, RemovedCommunity>>;
  readonly marks: Signal<ReadonlyMap<Id, ReadMark>>;
  readonly settings: Signal<ReadonlyMap<Id, NotificationSetting>>;
}

/** Lets the client follow the reader's communities, and writes what it reports. Loaded on use. */
export function followCommunities(client: Client, news: LiveNews): CommunityRequests {
  const communities = addCommunities(client);
  const showAll = () => {
    if (communities.isLoaded) news.communities.value = communities.all();
  };
  const markAll = (ids: readonly Id[]) => {
    const marks = new Map(news.marks.peek());
    for (const id of ids) {
      const { isUnread, mentions } = client.channel(id).readState;
      marks.set(id, { isUnread, mentions });
    }
    news.marks.value = marks;
  };
  const markOf = (id: Id) => markAll([id]);
  client.on('community', (community) =>
    batch(() => {
      showAll();
      noteRemoved(news, community.id, undefined);
      markAll(community.channels.map(({ id }) => id));
      const setting = communities.notificationSetting(community.id);
      if (setting !== undefined) choose(setting);
    }),
  );
  client.on('communityRemoved', ({ id, reason }) =>
    batch(() => {
      const known = news.communities.peek()?.find((each) => each.id === id);
      if (known !== undefined && reason !== 'signed_out') {
        noteRemoved(news, id, { slug: known.slug, name: known.name, reason });
      }
      showAll();
    }),
  );
  client.on('channel', ({ id }) =>
    batch(() => {
      showAll();
      markOf(id);
    }),
  );
  client.on('channelRemoved', showAll);
  client.on('channelMessage', ({ message }) => markOf(message.channel_id));
  client.on('readState', ({ channel_id: id }) => markOf(id));
  const choose = (setting: NotificationSetting) => {
    const place = setting.channel_id ?? setting.community_id;
    if (place === undefined) return;
    news.settings.value = new Map(news.settings.peek()).set(place, setting);
  };
  client.on('notificationSetting', choose);
  // Somebody without communities gets no event about them.
  client.on('connection', showAll);
  batch(() => {
    showAll();
    for (const { id, channels } of communities.all()) {
      const setting = communities.notificationSetting(id);
      if (setting !== undefined) choose(setting);
      markAll(channels.map((channel) => channel.id));
      for (const channel of channels) {
        const ofChannel = client.channel(channel.id).notificationSetting;
        if (ofChannel !== undefined) choose(ofChannel);
      }
    }
  });
  return requestsOf(client, communities);
}

/** A community is none of the reader's any more, or it is again. */
export function noteRemoved(
  { removed }: Pick<LiveNews, 'removed'>,
  id: Id,
  community: RemovedCommunity | undefined,
): void {
  const others = new Map(removed.peek());
  if (!others.delete(id) && community === undefined) return;
  if (community !== undefined) others.set(id, community);
  removed.value = others;
}

function requestsOf(client: Client, communities: CommunitiesClient): CommunityRequests {
  const { channels, roles, members, bans, invites, joinRequests } = communities;
  return {
    create: (input) => communities.create(input),
    find: (query) => communities.list(query),
    findBySlug: (slug) => communities.bySlug(slug),
    change: (id, change) => communities.change(id, change),
    delete: (id, proof) => communities.remove(id, proof),
    restore: (id) => communities.restore(id),
    handOver: (id, to) => communities.handOver(id, to),
    uploadPicture: (picture) => uploadPicture(client, picture),

    channelsOf: (id) => channels.list(id),
    createChannel: (id, input) => channels.create(id, input),
    changeChannel: (id, change) => channels.change(id, change),
    deleteChannel: (id) => channels.remove(id),
    orderChannels: (id, order) => channels.order(id, order),
    setOverwrite: (channel, id, overwrite) =>
      channels.setOverwrite({ channel_id: channel, id }, overwrite),
    deleteOverwrite: (channel, id) => channels.removeOverwrite({ channel_id: channel, id }),

    createRole: (id, input) => roles.create(id, input),
    changeRole: (community_id, id, change) => roles.change({ community_id, id }, change),
    deleteRole: (community_id, id) => roles.remove({ community_id, id }),
    orderRoles: (id, ids) => roles.order(id, ids),

    members: (id, query) => members.list(id, query),
    changeMember: (community_id, user_id, change) =>
      members.change({ community_id, user_id }, change),
    kick: (community_id, user_id, reason) => members.kick({ community_id, user_id }, { reason }),
    bans: (id, query) => bans.list(id, query),
    ban: (community_id, user_id, ban) => bans.set({ community_id, user_id }, ban),
    unban: (community_id, user_id) => bans.lift({ community_id, user_id }),
    join: (id) => communities.join(id),
    askToJoin: (id) => joinRequests.ask(id),
    leave: (id) => communities.leave(id),

    invites: (id) => invites.list(id),
    createInvite: (id, input) => invites.create(id, input),
    revokeInvite: (community_id, code) => invites.revoke({ community_id, code }),
    invitation: (code) => invites.find(code),
    acceptInvitation: (code) => invites.accept(code),
    joinRequests: (id, query) => joinRequests.list(id, query),
    acceptRequest: (community_id, user_id) => joinRequests.accept({ community_id, user_id }),
    refuseRequest: (community_id, user_id) => joinRequests.refuse({ community_id, user_id }),

    auditLog: (id, query) => communities.auditLog(id, query),

    markRead: (id) => communities.markRead(id),
    markChannelRead: (id) => markNewestRead(client.channel(id)),
    chooseForCommunity: (id, choice) => communities.setNotifications(id, choice),
    chooseForChannel: (id, choice) => client.channel(id).setNotifications(choice),
  };
}

/** Marks a channel as read up to the newest message that has come. */
export async function markNewestRead(
  channel: Pick<ChannelClient, 'info' | 'markRead'>,
): Promise<void> {
  const lastId = channel.info?.last_id;
  if (lastId !== undefined) await channel.markRead(lastId);
}

async function uploadPicture({ files }: Client, picture: Blob): Promise<Id> {
  const { id } = await files.upload(picture, { name: 'picture', strip: true });
  const known = parseId(id);
  if (known === undefined) throw new TypeError('the file has no identifier');
  return known;
}
