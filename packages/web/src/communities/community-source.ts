import type { ReadonlySignal } from '@preact/signals';
import type {
  AuditEntry,
  Channel,
  ChannelChange,
  ChannelOrder,
  Community,
  Id,
  Member,
  MemberChange,
  NewChannel,
  NewCommunity,
  NewRole,
  Notification,
  NotificationChoice,
  NotificationSetting,
  OverwriteChange,
  Role,
  RoleChange,
} from '@hearth/protocol';
import type { MyChannel, MyCommunity } from '@hearth/sdk';
import type { ReaderInbox } from './inbox/reader-inbox.ts';
import type { Page } from './page.ts';
import type {
  Ban,
  BanInput,
  CommunityChange,
  CommunityInvite,
  Invitation,
  JoinRequest,
  NewCommunityInvite,
} from './wire.ts';

/** The news for the reader in a channel. */
export interface ReadMark {
  readonly isUnread: boolean;
  readonly mentions: number;
  /** The newest message or post that was read; undefined if that is not known. */
  readonly lastReadId?: Id | undefined;
}

/** A community that was the reader's, and why it is not any more; the reason is undefined if it is not known. */
export interface RemovedCommunity extends Pick<MyCommunity, 'slug' | 'name'> {
  readonly reason: 'left' | 'kicked' | 'banned' | 'deleted' | undefined;
}

/** A message, post or comment of which the reader wants to be notified. */
export interface Mention {
  readonly community: Pick<MyCommunity, 'slug' | 'name'>;
  readonly channel: Pick<MyChannel, 'id' | 'name'>;
  /** The path of its place. */
  readonly path: string;
  readonly author: string;
  /** Empty if it has no words. */
  readonly content: string;
  /** Set if that is an excerpt in plain text, and no Markdown. */
  readonly isExcerpt?: true;
}

/** The reports of the instance about the reader's communities, now and from now on. */
export interface CommunityNews {
  /** Undefined until the instance has said it. */
  readonly communities: ReadonlySignal<readonly MyCommunity[] | undefined>;
  /** Communities that have been the reader's since the page was loaded, by their ids. */
  readonly removed: ReadonlySignal<ReadonlyMap<Id, RemovedCommunity>>;
  /** The last one that came while the page was open. */
  readonly mention: ReadonlySignal<Mention | undefined>;
  /** News that concerns the reader; undefined until it is known. */
  readonly inbox: ReadonlySignal<ReaderInbox | undefined>;
  /** The news, by the ids of channels. */
  readonly marks: ReadonlySignal<ReadonlyMap<Id, ReadMark>>;
  /** The reader's choices for communities and channels, by their ids. */
  readonly settings: ReadonlySignal<ReadonlyMap<Id, NotificationSetting>>;
}

/** The requests of the views of communities to the instance. All of it throws the errors of the SDK. */
export interface CommunityRequests {
  /** The community has its first channel already. */
  create(
    input: NewCommunity,
  ): Promise<Community & { readonly channels: readonly Pick<Channel, 'id' | 'name'>[] }>;
  find(query: FindQuery): Promise<Page<Community>>;
  findBySlug(slug: string): Promise<Community>;
  findById(id: Id): Promise<Community>;
  change(id: Id, change: CommunityChange): Promise<unknown>;
  delete(
    id: Id,
    proof: { readonly slug: string; readonly current_password: string },
  ): Promise<unknown>;
  restore(id: Id): Promise<unknown>;
  handOver(
    id: Id,
    to: { readonly user_id: Id; readonly current_password: string },
  ): Promise<unknown>;
  uploadPicture(picture: Blob): Promise<Id>;

  channelsOf(id: Id): Promise<readonly Channel[]>;
  createChannel(id: Id, input: NewChannel): Promise<unknown>;
  changeChannel(id: Id, change: ChannelChange): Promise<unknown>;
  deleteChannel(id: Id): Promise<unknown>;
  orderChannels(id: Id, order: ChannelOrder): Promise<unknown>;
  setOverwrite(channel: Id, target: Id, overwrite: OverwriteChange): Promise<unknown>;
  deleteOverwrite(channel: Id, target: Id): Promise<unknown>;

  createRole(id: Id, input: NewRole): Promise<Role>;
  changeRole(id: Id, role: Id, change: RoleChange): Promise<unknown>;
  deleteRole(id: Id, role: Id): Promise<unknown>;
  orderRoles(id: Id, ids: readonly Id[]): Promise<unknown>;

  members(id: Id, query: { readonly q?: string; readonly cursor?: string }): Promise<Page<Member>>;
  /** Throws NotFoundError if the person is not a member. */
  member(id: Id, user: Id): Promise<Member>;
  changeMember(id: Id, user: Id, change: MemberChange): Promise<Member>;
  kick(id: Id, user: Id, reason: string | undefined): Promise<unknown>;
  bans(id: Id, query: { readonly cursor?: string }): Promise<Page<Ban>>;
  ban(id: Id, user: Id, ban: BanInput): Promise<unknown>;
  unban(id: Id, user: Id): Promise<unknown>;
  join(id: Id): Promise<unknown>;
  askToJoin(id: Id): Promise<unknown>;
  leave(id: Id): Promise<unknown>;

  invites(id: Id): Promise<readonly CommunityInvite[]>;
  createInvite(id: Id, input: NewCommunityInvite): Promise<CommunityInvite>;
  revokeInvite(id: Id, code: string): Promise<unknown>;
  invitation(code: string): Promise<Invitation>;
  acceptInvitation(code: string): Promise<Pick<MyCommunity, 'slug' | 'channels'>>;
  joinRequests(id: Id, query: { readonly cursor?: string }): Promise<Page<JoinRequest>>;
  acceptRequest(id: Id, user: Id): Promise<unknown>;
  refuseRequest(id: Id, user: Id): Promise<unknown>;

  auditLog(id: Id, query: { readonly before?: Id }): Promise<readonly AuditEntry[]>;

  markRead(id: Id): Promise<unknown>;
  /** Up to its newest message. */
  markChannelRead(id: Id): Promise<unknown>;
  /** Reads what mentions the reader or replies to them, the newest first. */
  readonly notifications: (cursor: string | undefined) => Promise<Page<Notification>>;
  /** Up to this one. */
  markNotificationsRead(id: Id): Promise<unknown>;
  chooseForCommunity(id: Id, choice: NotificationChoice): Promise<unknown>;
  chooseForChannel(id: Id, choice: NotificationChoice): Promise<unknown>;
}

export interface FindQuery {
  readonly q?: string | undefined;
  readonly sort: 'active' | 'new' | 'members';
  readonly cursor?: string | undefined;
}
