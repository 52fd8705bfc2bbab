import { useEffect, useRef, useState } from 'preact/hooks';
import { parseId, type Channel, type Id, type Member } from '@hearth/protocol';
import { useCommunities } from '../use-communities.ts';

/** The members whom overwrites name. */
export interface NamedMembers {
  /** People who are still members. */
  readonly all: readonly Member[];
  /** True if the instance has said who all of them are. */
  readonly isComplete: boolean;
  /** Returns whether somebody is no member any more. */
  readonly isGone: (id: Id) => boolean;
}

/** Looks up the members whom the overwrites of these channels name. They may be on any page of the list. */
export function useNamedMembers(
  community: Id,
  channels: readonly (Pick<Channel, 'overwrites'> | undefined)[],
): NamedMembers {
  const { requests } = useCommunities();
  const [known, setKnown] = useState<ReadonlyMap<Id, Member | undefined>>(new Map());
  const asked = useRef(new Set<Id>()).current;
  const ids = membersIn(channels);
  const missing = ids.filter((id) => !known.has(id)).join();
  useEffect(() => {
    for (const id of missing.split(',').map(parseId)) {
      if (id === undefined || asked.has(id)) continue;
      asked.add(id);
      const learn = (member: Member | undefined) =>
        setKnown((before) => new Map(before).set(id, member));
      requests.member(community, id).then(learn, () => learn(undefined));
    }
  }, [requests, community, missing, asked]);
  return {
    all: ids.flatMap((id) => known.get(id) ?? []),
    isComplete: missing === '',
    isGone: (id) => known.has(id) && known.get(id) === undefined,
  };
}

/** The ids of the members whom the overwrites of channels name, each once. */
export function membersIn(
  channels: readonly (Pick<Channel, 'overwrites'> | undefined)[],
): readonly Id[] {
  const overwrites = channels.flatMap((channel) => channel?.overwrites ?? []);
  return [...new Set(overwrites.filter(({ kind }) => kind === 'member').map(({ id }) => id))];
}
