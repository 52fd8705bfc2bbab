import type { Sample } from './samples.ts';

const CHOICE = '{"level":"mentions"}';
const MARK = '{"last_read_id":"1"}';

/** Requests about what somebody has read, and of what they are notified, in a public community of Ada of which Bob is no member. */
export function readingSamples({
  communityId,
  channelId,
}: {
  readonly communityId: string;
  readonly channelId: string;
}): Readonly<Record<string, readonly Sample[]>> {
  const [community, channel] = [{ community_id: communityId }, { channel_id: channelId }];
  return {
    listReadStates: [{ by: 'ada' }],
    listNotifications: [{ by: 'ada' }, { by: 'ada', query: '?limit=x' }],
    markNotifications: [
      { by: 'ada', body: MARK },
      { by: 'ada', body: '{"last_read_id":1}' },
    ],
    listNotificationSettings: [{ by: 'ada' }],
    setChannelNotifications: [
      { by: 'ada', path: channel, body: CHOICE },
      { by: 'ada', path: channel, body: '{"level":"some"}' },
      { by: 'bob', path: channel, body: CHOICE },
      { by: 'bob', path: { channel_id: '1' }, body: CHOICE },
    ],
    setCommunityNotifications: [
      { by: 'ada', path: community, body: CHOICE },
      { by: 'ada', path: community, body: '{"level":"some"}' },
      { by: 'bob', path: community, body: CHOICE },
      { by: 'bob', path: { community_id: '1' }, body: CHOICE },
    ],
    markChannel: [
      { by: 'ada', path: channel, body: MARK },
      { by: 'ada', path: channel, body: '{"last_read_id":1}' },
      { by: 'bob', path: channel, body: MARK },
      { by: 'bob', path: { channel_id: '1' }, body: MARK },
    ],
    markCommunity: [
      { by: 'ada', path: community },
      { by: 'bob', path: community },
      { by: 'bob', path: { community_id: '1' } },
    ],
  };
}
