import { named } from '@hearth/testing/instances/named';
import { expect, test } from 'bun:test';
import { parseInstanceFile } from '../../server/src/config/instance-file.ts';
import { auditRoutes } from '../../server/src/features/communities/audit-log/routes.ts';
import { banRoutes } from '../../server/src/features/communities/bans/routes.ts';
import { channelRoutes } from '../../server/src/features/communities/channels/routes.ts';
import { communityInviteRoutes } from '../../server/src/features/communities/community-invites/routes.ts';
import { communityRoutes } from '../../server/src/features/communities/communities/routes.ts';
import { joinRequestRoutes } from '../../server/src/features/communities/join-requests/routes.ts';
import { memberRoutes } from '../../server/src/features/communities/members/routes.ts';
import { channelMessageRoutes } from '../../server/src/features/talk/messages/routes.ts';
import { notificationSettingRoutes } from '../../server/src/features/talk/notification-settings/routes.ts';
import { notificationRoutes } from '../../server/src/features/talk/notifications/routes.ts';
import { readStateRoutes } from '../../server/src/features/talk/read-states/routes.ts';
import { roleRoutes } from '../../server/src/features/communities/roles/routes.ts';
import { pointRoutes } from '../../server/src/features/forum/points/routes.ts';
import { postListRoutes } from '../../server/src/features/forum/post-lists/routes.ts';
import { postRoutes } from '../../server/src/features/forum/posts/routes.ts';
import { commentRoutes } from '../../server/src/features/forum/comments/routes.ts';
import { voteRoutes } from '../../server/src/features/forum/voting/routes.ts';
import { typingRoutes } from '../../server/src/features/talk/typing/routes.ts';
import { idOf } from './support/communities.ts';
import { postsHost } from './support/posts.ts';
import { fakeHost } from './support/fake-host.ts';

const file = parseInstanceFile(named(''), 'instance.toml');
if (file.state !== 'read') throw new Error('an empty file is valid');

const routes = [
  ...auditRoutes,
  ...banRoutes,
  ...channelRoutes,
  ...communityInviteRoutes,
  ...communityRoutes,
  ...joinRequestRoutes,
  ...memberRoutes,
  ...channelMessageRoutes(file.settings),
  ...notificationRoutes,
  ...notificationSettingRoutes,
  ...readStateRoutes,
  ...roleRoutes,
  ...typingRoutes,
].map(({ method, path, limit }) => `${method} ${path.replaceAll(/:\w+/g, ':')} ${limit}`);

/** Routes that the library reads in another way: READY has all of this. */
const READ_OTHERWISE = [
  'GET /users/me/notification-settings list',
  'GET /communities/:/roles/: read',
];

test('[SK34] there is a function for each route of communities, and each waits for the limit that counts it', async () => {
  const host = fakeHost();
  const seen = new Set<string>();
  const { part } = host;
  const { communities } = part;
  const [community_id, id, user_id] = [idOf(100), idOf(110), idOf(2)];
  const member = { community_id, user_id };
  const role = { community_id, id };
  const overwrite = { channel_id: id, id: user_id };
  const successor = { user_id, current_password: '' };
  const channel = part.channel(id);
  const calls: readonly (() => Promise<unknown>)[] = [
    () => communities.read(),
    () => communities.create({ name: 'Garden', slug: 'garden' }),
    () => communities.find(community_id),
    () => communities.bySlug('garden'),
    () => communities.list(),
    () => communities.change(community_id, {}),
    () => communities.remove(community_id, { slug: 'garden', current_password: '' }),
    () => communities.restore(community_id),
    () => communities.handOver(community_id, successor),
    () => communities.join(community_id),
    () => communities.leave(community_id),
    () => communities.markRead(community_id),
    () => communities.setNotifications(community_id, {}),
    () => communities.auditLog(community_id),
    () => communities.roles.list(community_id),
    () => communities.roles.create(community_id, { name: 'gardener' }),
    () => communities.roles.change(role, {}),
    () => communities.roles.remove(role),
    () => communities.roles.order(community_id, []),
    () => communities.channels.list(community_id),
    () => communities.channels.find(id),
    () => communities.channels.create(community_id, { kind: 'messages', name: 'trees' }),
    () => communities.channels.change(id, {}),
    () => communities.channels.remove(id),
    () => communities.channels.order(community_id, { order: [] }),
    () => communities.channels.setOverwrite(overwrite, { kind: 'member', allow: [], deny: [] }),
    () => communities.channels.removeOverwrite(overwrite),
    () => communities.members.list(community_id),
    () => communities.members.find(member),
    () => communities.members.change(member, {}),
    () => communities.members.kick(member),
    () => communities.bans.list(community_id),
    () => communities.bans.find(member),
    () => communities.bans.set(member),
    () => communities.bans.lift(member),
    () => communities.invites.list(community_id),
    () => communities.invites.create(community_id),
    () => communities.invites.revoke({ community_id, code: 'x' }),
    () => communities.invites.find('x'),
    () => communities.invites.accept('x'),
    () => communities.joinRequests.list(community_id),
    () => communities.joinRequests.accept(member),
    () => communities.joinRequests.refuse(member),
    () => communities.joinRequests.ask(community_id),
    () => communities.joinRequests.own(community_id),
    () => communities.joinRequests.withdraw(community_id),
    () => host.readOwn(community_id),
    () => host.readStates(),
    () => part.notifications.list(),
    () => part.notifications.markRead(id),
    () => channel.history(),
    () => channel.message(id),
    () => channel.send('x'),
    () => channel.reach('x'),
    () => channel.change(id, 'x'),
    () => channel.remove(id),
    () => channel.removeMany([id]),
    () => channel.versions(id),
    () => channel.react(id, '👍'),
    () => channel.unreact(id, '👍'),
    () => channel.listReacted(id, '👍'),
    () => channel.pins(),
    () => channel.pin(id),
    () => channel.unpin(id),
    () => channel.typing(),
    () => channel.markUnread(id),
    () => channel.setNotifications({}),
  ];
  host.onRequest(({ method, path, params = {}, limit }) => {
    // The place of a notification is in the path as a parameter.
    const { kind = ':' } = params as { readonly kind?: string };
    seen.add(`${method} ${path.replace('/:kind', `/${kind}`).replaceAll(/:\w+/g, ':')} ${limit}`);
  });
  for (const call of calls) await call().catch(() => undefined);
  expect([...seen].toSorted()).toEqual(
    [...new Set(routes)].filter((line) => !READ_OTHERWISE.includes(line)).toSorted(),
  );
});

const postRoutesOfServer = [
  ...commentRoutes,
  ...pointRoutes,
  ...postListRoutes,
  ...postRoutes,
  ...voteRoutes,
].map(({ method, path, limit }) => `${method} ${path.replaceAll(/:\w+/g, ':')} ${limit}`);

test('[SK40] there is a function for each route of posts, and each waits for the limit that counts it', async () => {
  const host = postsHost();
  const { posts } = host;
  const { comments } = posts;
  const [id, channel_id, user_id] = [idOf(500), idOf(110), idOf(2)];
  const seen = new Set<string>();
  host.onRequest(({ method, path, limit }) => {
    seen.add(`${method} ${path.replaceAll(/:\w+/g, ':')} ${limit}`);
  });
  const calls: readonly (() => Promise<unknown>)[] = [
    () => posts.list({ channel_id }),
    () => posts.list({ community_id: idOf(100) }),
    () => posts.list({ user_id }),
    () => posts.list('feed'),
    () => posts.list('saved'),
    () => posts.create(channel_id, { title: 'x' }),
    () => posts.find(id),
    () => posts.change(id, {}),
    () => posts.remove(id),
    () => posts.vote(id, 1),
    () => posts.votes(id),
    () => posts.votePoll(id, []),
    () => posts.accept(id, null),
    () => posts.crosspost(id, { channel_id }),
    () => posts.save(id),
    () => posts.unsave(id),
    () => posts.markRead(id),
    () => posts.points(user_id),
    () => posts.pointRules(idOf(100)),
    () => comments.list(id),
    () => comments.create(id, 'x'),
    () => comments.context(id),
    () => comments.change(id, 'x'),
    () => comments.remove(id),
    () => comments.vote(id, 1),
    () => comments.votes(id),
    () => comments.ofUser(user_id),
  ];
  for (const call of calls) await call().catch(() => undefined);
  const known = new Set(postRoutesOfServer);
  expect([...known].filter((line) => !seen.has(line))).toEqual([]);
  expect([...seen].filter((line) => !known.has(line))).toEqual([]);
});
