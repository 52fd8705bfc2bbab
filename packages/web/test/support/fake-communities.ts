import { signal } from '@preact/signals';
import {
  parseId,
  PERMISSIONS,
  type Channel,
  type ChannelKind,
  type Id,
  type NotificationSetting,
  type Permission,
  type Role,
} from '@hearth/protocol';
import type {
  CommunityNews,
  CommunityRequests,
  Mention,
  ReadMark,
  RemovedCommunity,
} from '../../src/communities/community-source.ts';
import type { ReaderInbox } from '../../src/communities/inbox/reader-inbox.ts';
import { Communities } from '../../src/communities/communities.ts';
import { KeptPlaces } from '../../src/communities/kept-places.ts';
import type { MyChannel, MyCommunity } from '@hearth/sdk';
import { MemoryStorage } from './memory-storage.ts';

/** Decimal text as an identifier. */
export function idOf(text: string): Id {
  const id = parseId(text);
  if (id === undefined) throw new Error(`${text} is no identifier`);
  return id;
}

interface ChannelParts {
  readonly position?: number;
  readonly kind?: ChannelKind;
  readonly category?: string;
  readonly restricted?: true;
  readonly topic?: string;
}

/** A channel of the community 1. */
export function channel(id: string, name: string, parts: ChannelParts = {}): MyChannel & Channel {
  const { position = Number(id), kind = 'messages', category, restricted, topic } = parts;
  return {
    id: idOf(id),
    community_id: idOf('1'),
    kind,
    name,
    position,
    last_id: idOf('500'),
    ...(category !== undefined && { category_id: idOf(category) }),
    ...(restricted && { restricted }),
    ...(topic !== undefined && { topic }),
    version: 1,
    permissions: everyPermission(),
    details: undefined,
  } as MyChannel & Channel;
}

function everyPermission(): ReadonlySet<Permission> {
  // Guarantee: the keys are the names.
  return new Set(Object.keys(PERMISSIONS) as Permission[]);
}

/** A role of the community 1. */
export function role(id: string, name: string, parts: Partial<Role> = {}): Role {
  return {
    id: idOf(id),
    community_id: idOf('1'),
    name,
    position: Number(id),
    permissions: [],
    version: 1,
    ...parts,
  };
}

/** A community of the reader. */
export function garden(parts: Partial<MyCommunity> = {}): MyCommunity {
  const id = parts.id ?? idOf('1');
  return {
    id,
    slug: 'garden',
    name: 'Lantern Garden',
    kind: 'both',
    visibility: 'public',
    join: 'open',
    owner_id: idOf('7'),
    member_count: 42,
    created_at: 0,
    version: 1,
    membership: { role_ids: [], joined_at: 0, version: 1 },
    permissions: everyPermission(),
    roles: [role('1', 'everyone', { id, position: 0 })],
    channels: [channel('2', 'general'), channel('3', 'tools')],
    ...parts,
  };
}

/** Communities that a test changes, and requests that it answers. */
export class FakeCommunities {
  readonly news = {
    communities: signal<readonly MyCommunity[] | undefined>([]),
    removed: signal<ReadonlyMap<Id, RemovedCommunity>>(new Map()),
    mention: signal<Mention | undefined>(undefined),
    inbox: signal<ReaderInbox | undefined>(undefined),
    marks: signal<ReadonlyMap<Id, ReadMark>>(new Map()),
    settings: signal<ReadonlyMap<Id, NotificationSetting>>(new Map()),
  } satisfies CommunityNews;
  readonly kept = new KeptPlaces(new MemoryStorage(), 'test');
  readonly store: Communities;
  readonly requests: CommunityRequests;

  /** Makes requests of which those that `requests` leaves out fail. */
  constructor(requests: Partial<CommunityRequests> = {}) {
    const others = new Proxy(requests, {
      get: (given, name) =>
        Reflect.get(given, name) ??
        (() => Promise.reject(new Error(`nothing answers ${String(name)}`))),
    });
    // Guarantee: the proxy has every name.
    this.requests = others as CommunityRequests;
    this.store = new Communities({
      news: this.news,
      requests: this.requests,
      kept: this.kept,
      now: () => 1_000,
    });
  }
}
