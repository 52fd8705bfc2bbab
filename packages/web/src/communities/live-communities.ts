import { parseId, type Id, type Notification } from '@hearth/protocol';
import type { ChannelClient, Client, CommunitiesClient, ConnectionState } from '@hearth/sdk';
import { addCommunities } from '@hearth/sdk/communities';
import type { CommunityRequests } from './community-source.ts';
import type { Page } from './page.ts';
import { Inbox } from './inbox/inbox.ts';
import { NewsWriter, type LiveNews } from './news-writer.ts';

/**
 * Lets the client follow the communities of the reader, who may be a visitor, and writes what it reports. Visitors have no
 * inbox. Loaded on use.
 */
export function followCommunities(
  client: Client,
  news: LiveNews,
  isMember: boolean,
): CommunityRequests {
  const communities = addCommunities(client);
  const known = { communities, channel: (id: Id) => client.channel(id) };
  const writer = new NewsWriter(known, news);
  client.on('community', (community) => writer.show(community));
  client.on('communityRemoved', ({ id, reason }) => writer.remove(id, reason));
  client.on('channel', ({ id }) => {
    writer.showAll();
    writer.mark(id);
  });
  client.on('channelRemoved', () => {
    writer.showAll();
    writer.refreshInbox();
  });
  client.on('channelMessage', (posted) => writer.post(posted));
  client.on('notification', (notification) => writer.concern(notification));
  client.on('notificationUpdate', (notification) => writer.readOne(notification));
  client.on('notificationsRead', ({ last_read_id: id }) => writer.readUpTo(id));
  client.on('readState', ({ channel_id: id }) => writer.mark(id));
  client.on('notificationSetting', (setting) => writer.choose(setting));
  // Somebody without communities gets no event about them.
  client.on('connection', () => writer.showAll());
  writer.begin();
  const requests = { ...requestsOf(client, communities), ...inboxRequests(client, writer) };
  if (isMember) {
    refreshInbox(client, writer);
    const inbox = new Inbox({ ...news, news: writer.inbox, requests });
    inbox.start();
    news.inbox.value = inbox;
  }
  return requests;
}

/** Has the inbox read whenever a connection opens: what came before was not reported. */
function refreshInbox(client: Client, writer: NewsWriter): void {
  const refresh = (connection: ConnectionState) => {
    if (connection.state === 'open' && connection.isCurrent) writer.refreshInbox();
  };
  client.on('connection', refresh);
  refresh(client.connection);
}

type InboxRequests = Pick<CommunityRequests, 'notifications' | 'markNotificationsRead'>;

function inboxRequests(client: Client, writer: NewsWriter): InboxRequests {
  return {
    notifications: async (cursor) => {
      const page = await listNotifications(client, cursor);
      writer.found(page.entries);
      return page;
    },
    markNotificationsRead: (id) => client.notifications.markRead(id),
  };
}

function requestsOf(
  client: Client,
  communities: CommunitiesClient,
): Omit<CommunityRequests, keyof InboxRequests> {
  const { channels, roles, members, bans, invites, joinRequests } = communities;
  return {
    create: (input) => communities.create(input),
    find: (query) => communities.list(query),
    findBySlug: (slug) => communities.bySlug(slug),
    findById: (id) => communities.find(id),
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
    member: (community_id, user_id) => members.find({ community_id, user_id }),
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

/** The number of notifications that are asked for at once. */
const PAGE = 50;

async function listNotifications(
  { notifications }: Pick<Client, 'notifications'>,
  cursor: string | undefined,
): Promise<Page<Notification>> {
  const before = parseId(cursor ?? '');
  const entries = await notifications.list({ before, limit: PAGE });
  return { entries, next: entries.length < PAGE ? undefined : entries.at(-1)?.id };
}
