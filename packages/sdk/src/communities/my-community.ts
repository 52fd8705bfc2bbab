import {
  compareIds,
  type Channel,
  type Community,
  type Id,
  type Membership,
  type OwnChannel,
  type Permission,
  type Role,
} from '@hearth/protocol';

/** A channel or category that the person who is signed in sees. It never changes: a change makes another one. */
export interface MyChannel extends Readonly<Omit<OwnChannel, 'permissions'>> {
  readonly community_id: Id;
  /** The person's permissions there. */
  readonly permissions: ReadonlySet<Permission>;
  /** Also its topic, slow mode and overwrites, once they were read or have changed; `communities.channels.find` reads them. */
  readonly details: Channel | undefined;
}

/** A community of the person who is signed in. It never changes: a change makes another one. */
export interface MyCommunity extends Readonly<Community> {
  readonly membership: Readonly<Membership>;
  /** The person's permissions in the community as a whole. */
  readonly permissions: ReadonlySet<Permission>;
  /** The weakest first; the first is the everyone role, which has the id of the community. */
  readonly roles: readonly Role[];
  /** In the order in which they are shown: channels without a category, then each category with its channels. */
  readonly channels: readonly MyChannel[];
}

/** The channels in the order in which they are shown. */
export function inOrder<Each extends Pick<OwnChannel, 'id' | 'kind' | 'position' | 'category_id'>>(
  channels: readonly Each[],
): readonly Each[] {
  const sorted = channels.toSorted(
    (one, other) => one.position - other.position || compareIds(one.id, other.id),
  );
  const categories = sorted.filter(({ kind }) => kind === 'category');
  const isSeen = new Set(categories.map(({ id }) => id));
  const others = sorted.filter(({ kind }) => kind !== 'category');
  // The category of a channel may be hidden.
  const without = others.filter(({ category_id: id }) => id === undefined || !isSeen.has(id));
  return [
    ...without,
    ...categories.flatMap((category) => [
      category,
      ...others.filter(({ category_id: id }) => id === category.id),
    ]),
  ];
}
