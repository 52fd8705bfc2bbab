import { changesOf, type Act } from '../audit/audit.ts';
import { describeChannel, type KnownChannel } from '../structure/structure.ts';

/** Returns what the audit log says of a change of a channel, which is there before the change, after it, or both. */
export function channelAct(
  action: 'channel_create' | 'channel_update' | 'channel_delete',
  before: KnownChannel | undefined,
  after?: KnownChannel,
): Act {
  const channel = after ?? before;
  const [was, is] = [before, after].map((state) =>
    state === undefined ? {} : { ...describeChannel(state), tags: tagNames(state) },
  );
  const except = ['id', 'community_id', 'position', 'overwrites', 'last_id', 'restricted'];
  return {
    action,
    ...(channel !== undefined && {
      target: { kind: 'channel', id: channel.id, name: channel.name } as const,
      channel,
    }),
    changes: changesOf(was ?? {}, is ?? {}, except),
  };
}

function tagNames({ postSettings: { tags } }: KnownChannel): readonly string[] | undefined {
  return tags?.map(({ name }) => name);
}
