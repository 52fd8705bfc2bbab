import type { Community, Id, NewCommunity } from '@hearth/protocol';
import { ConflictError } from '@hearth/sdk';
import { channelNames, slugFrom } from '../checks.ts';
import type { CommunityRequests } from '../community-source.ts';

/** The choices for a new community. */
export interface Draft {
  readonly name: string;
  readonly icon: Blob | undefined;
  readonly kind: Community['kind'];
  readonly visibility: Community['visibility'];
  readonly join: Community['join'];
  readonly slug: string;
  /** False while the address follows the name. */
  readonly isSlugOwn: boolean;
  /** One name on each line. */
  readonly channels: string;
}

/** The outcome of making it. */
export interface Made {
  readonly community: Community;
  readonly inviteCode: string | undefined;
  /** True if something besides the community itself has failed. */
  readonly isPartial: boolean;
}

/** The draft after the reader changed it. A private community cannot be open. */
export function changed(draft: Draft, change: Partial<Draft>): Draft {
  const next = { ...draft, ...change };
  const slug = next.isSlugOwn ? next.slug : slugFrom(next.name);
  const isClosed = next.visibility === 'private' && next.join === 'open';
  const wasPrivate = draft.visibility === 'private' && next.visibility !== 'private';
  const join = isClosed ? 'invite' : wasPrivate ? 'open' : next.join;
  return { ...next, slug, join };
}

type Requests = Pick<
  CommunityRequests,
  'create' | 'change' | 'uploadPicture' | 'changeChannel' | 'createChannel' | 'createInvite'
>;

/** Makes the community, and then as much as possible of what belongs to it. Throws if the community is refused. */
export async function makeCommunity(draft: Draft, requests: Requests): Promise<Made> {
  const { kind, visibility, join, icon } = draft;
  const input: NewCommunity = {
    name: draft.name.trim(),
    slug: draft.slug.trim().toLowerCase(),
    kind,
    visibility,
    join,
  };
  const community = await requests.create(input);
  const { id } = community;
  let isPartial = false;
  const attempt = async <Value>(act: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await act();
    } catch {
      isPartial = true;
      return undefined;
    }
  };
  if (icon !== undefined) await attempt(() => setIcon(id, icon, requests));
  // The instance has made the first channel.
  const [first] = community.channels;
  const [firstName, ...others] = channelNames(draft.channels);
  if (first !== undefined && firstName !== undefined && firstName !== first.name) {
    await attempt(() => requests.changeChannel(first.id, { name: firstName }));
  }
  for (const name of others) {
    const channelKind = kind === 'posts' ? 'posts' : 'messages';
    await attempt(() => requests.createChannel(id, { kind: channelKind, name }));
  }
  const invite = await attempt(() => requests.createInvite(id, {}));
  return { community, inviteCode: invite?.code, isPartial };
}

/** Returns whether another community has the address. */
export function isSlugTaken(error: unknown): boolean {
  return error instanceof ConflictError && error.fieldName === 'slug';
}

async function setIcon(id: Id, icon: Blob, requests: Requests): Promise<void> {
  const file = await requests.uploadPicture(icon);
  await requests.change(id, { icon: file });
}
