import type { Channel } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import type { NamedMembers } from './use-named-members.ts';
import { useSettingsText } from './use-settings-text.ts';
import { visibleTo } from './visible-to.ts';

interface SeesProps {
  readonly community: MyCommunity;
  readonly channel: Channel;
  readonly category: Channel | undefined;
  readonly members: NamedMembers;
}

/** Shows who sees a channel, in a sentence. Nothing until it is known whom the overwrites name. */
export function WhoSees({ community, channel, category, members }: SeesProps) {
  const { channels: words } = useSettingsText();
  if (!members.isComplete) return null;
  const seen = { channel, category, members: members.all };
  const { isForEveryone, also, except } = visibleTo(community, seen);
  const [those, others] = [also.join(', '), except.join(', ')];
  return (
    <p>
      {isForEveryone && words.everyoneSees(others)}
      {!isForEveryone && (also.length === 0 ? words.nobodySees : words.onlySome(those, others))}
    </p>
  );
}
