import type {
  AuditEntry,
  Community,
  Id,
  NotificationChoice,
  NotificationSetting,
} from '@hearth/protocol';
import type { Api } from '../api.ts';
import type { ReadStates } from '../channels/read-states.ts';
import * as reading from '../channels/reading.ts';
import {
  searchChannels,
  type ChannelSearchPage,
  type ChannelSearchQuery,
} from '../channels/search-channels.ts';
import { entriesOf, type Page } from '../pages.ts';
import type { RequestOptions } from '../types.ts';
import { listAuditLog, type AuditLogQuery } from './audit-log.ts';
import { BansClient } from './bans.ts';
import * as changes from './change-communities.ts';
import { ChannelsClient } from './channels.ts';
import { CommunityInvitesClient } from './invites.ts';
import { JoinRequestsClient } from './join-requests.ts';
import { MembersClient } from './members.ts';
import type { MyChannel, MyCommunity } from './my-community.ts';
import * as own from './own-communities.ts';
import { RolesClient } from './roles.ts';
import type { CommunityStore } from './store.ts';

export interface CommunitiesOptions {
  readonly api: Api;
  readonly store: CommunityStore;
  readonly readStates: ReadStates;
}

/** The unread part of a community as a whole. */
export interface UnreadCommunity {
  readonly isUnread: boolean;
  /** The number of unread messages that mention the person. */
  readonly mentions: number;
}

/**
 * The communities of the person who is signed in, as the gateway keeps them up to date while it is connected, and what the
 * person does with communities. All requests throw the typed errors of RestClient; what the person may not know of is a
 * NotFoundError.
 */
export class CommunitiesClient {
  readonly roles: RolesClient;
  readonly channels: ChannelsClient;
  readonly members: MembersClient;
  readonly bans: BansClient;
  readonly invites: CommunityInvitesClient;
  readonly joinRequests: JoinRequestsClient;
  readonly #api: Api;
  readonly #store: CommunityStore;
  readonly #readStates: ReadStates;

  /** @internal */
  constructor({ api, store, readStates }: CommunitiesOptions) {
    this.#api = api;
    this.#store = store;
    this.#readStates = readStates;
    this.roles = new RolesClient(api, store);
    this.channels = new ChannelsClient(api, store);
    this.members = new MembersClient(api);
    this.bans = new BansClient(api);
    this.invites = new CommunityInvitesClient(api, store);
    this.joinRequests = new JoinRequestsClient(api);
  }

  /** True if the communities are known: the gateway has been connected since the person signed in. */
  get isLoaded(): boolean {
    return this.#store.isLoaded;
  }

  /** The person's communities, the one joined first first. */
  all(): readonly MyCommunity[] {
    return this.#store.all();
  }

  /** One of them; undefined if it is none. */
  get(id: Id): MyCommunity | undefined {
    return this.#store.get(id);
  }

  /** A channel of one of them, if the person sees it. */
  channel(id: Id): MyChannel | undefined {
    return this.#store.channel(id);
  }

  /** Returns what is unread in one of them: in channels that are not muted. Mentions count everywhere. */
  unread(id: Id, nowMs: number = Date.now()): UnreadCommunity {
    const marks = (this.#store.get(id)?.channels ?? [])
      .filter((channel) => channel.kind !== 'category')
      .map((channel) => ({ mark: this.#readStates.of(channel.id), id: channel.id }));
    return {
      isUnread: marks.some((each) => each.mark.isUnread && !this.isMuted(each.id, nowMs)),
      mentions: marks.reduce((sum, { mark }) => sum + mark.mentions, 0),
    };
  }

  /** Returns whether the person has muted a community or a channel; a channel also if its community is muted. */
  isMuted(id: Id, nowMs: number = Date.now()): boolean {
    const communityId = this.#store.channel(id)?.community_id;
    const places = communityId === undefined ? [id] : [id, communityId];
    return places.some((place) => (this.#readStates.setting(place)?.muted_until ?? 0) > nowMs);
  }

  /** Returns what the person has chosen for one of them; undefined if nothing. */
  notificationSetting(id: Id): NotificationSetting | undefined {
    return this.#readStates.setting(id);
  }

  /**
   * The person's communities as the instance has them now, for programs without a gateway. The others read `all()`, which is kept
   * up to date.
   */
  async read(options: RequestOptions = {}): Promise<readonly MyCommunity[]> {
    this.#store.load(await own.listOwnCommunities(this.#api, options));
    return this.all();
  }

  /**
   * Makes a community, which the person owns. Throws ConflictError for a slug that is taken, and ValidationError.
   *
   * @example const garden = await client.communities.create({ name: 'Garden', slug: 'garden' });
   */
  async create(community: own.CommunityInput, options: RequestOptions = {}): Promise<MyCommunity> {
    return this.#store.put(await own.createCommunity(this.#api, community, options));
  }

  /** A community that the person may see, whether it is theirs or not. */
  find(id: Id, options: RequestOptions = {}): Promise<Community> {
    return own.readCommunity(this.#api, id, options);
  }

  /** Finds such a community by its name in addresses. */
  bySlug(slug: string, options: RequestOptions = {}): Promise<Community> {
    return own.readCommunityBySlug(this.#api, slug, options);
  }

  /** A page of the communities that everyone can find. */
  list(
    query: changes.CommunityListQuery = {},
    options: RequestOptions = {},
  ): Promise<Page<Community>> {
    return changes.listCommunities(this.#api, query, options);
  }

  /** All of them, page by page. */
  search(
    query: changes.CommunityListQuery = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Community, void, undefined> {
    return entriesOf((cursor) => this.list({ ...query, cursor }, options));
  }

  /** Searches the messages of all channels of a community that the person sees, the newest first. */
  searchMessages(
    id: Id,
    query: ChannelSearchQuery,
    options: RequestOptions = {},
  ): Promise<ChannelSearchPage> {
    return searchChannels(this.#api, { ...query, community: id }, options);
  }

  /** Changes a community. */
  async change(
    id: Id,
    patch: changes.CommunityPatch,
    options: RequestOptions = {},
  ): Promise<Community> {
    const community = await changes.changeCommunity(this.#api, { ...patch, id }, options);
    this.#store.putCommunity(community);
    return community;
  }

  /** Deletes a community, which its owner can restore for 7 days. */
  async remove(
    id: Id,
    removal: changes.CommunityRemoval,
    options: RequestOptions = {},
  ): Promise<void> {
    await changes.deleteCommunity(this.#api, { ...removal, id }, options);
    this.#store.remove(id, 'deleted');
  }

  /** Undoes that. */
  async restore(id: Id, options: RequestOptions = {}): Promise<MyCommunity> {
    return this.#store.put(await changes.restoreCommunity(this.#api, id, options));
  }

  /** Makes another member the owner. Throws ValidationError for `current_password` if it is wrong. */
  async handOver(
    id: Id,
    successor: changes.Successor,
    options: RequestOptions = {},
  ): Promise<Community> {
    const community = await changes.changeOwner(this.#api, { ...successor, id }, options);
    this.#store.putCommunity(community);
    return community;
  }

  /** Joins a community. Throws ForbiddenError with the code `join_closed` if that takes an invite or a request. */
  async join(id: Id, options: RequestOptions = {}): Promise<MyCommunity> {
    return this.#store.put(await own.joinCommunity(this.#api, id, options));
  }

  /** Leaves a community. Its owner cannot. */
  async leave(id: Id, options: RequestOptions = {}): Promise<void> {
    await own.leaveCommunity(this.#api, id, options);
    this.#store.remove(id, 'left');
  }

  /** Marks all channels of a community as read. */
  async markRead(id: Id, options: RequestOptions = {}): Promise<void> {
    const states = await reading.markCommunity(this.#api, id, options);
    for (const state of states) this.#readStates.read(state);
  }

  /** Chooses of what a community notifies the person. */
  async setNotifications(
    id: Id,
    choice: NotificationChoice,
    options: RequestOptions = {},
  ): Promise<NotificationSetting> {
    const place = { kind: 'communities', id } as const;
    const setting = await reading.setNotifications(this.#api, { ...choice, ...place }, options);
    this.#readStates.chosen(setting);
    return setting;
  }

  /** Lists what was done in a community that its moderators may want to know, the newest first. */
  auditLog(
    id: Id,
    query: AuditLogQuery = {},
    options: RequestOptions = {},
  ): Promise<readonly AuditEntry[]> {
    return listAuditLog(this.#api, { ...query, communityId: id }, options);
  }
}
