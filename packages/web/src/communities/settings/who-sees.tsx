import type { Channel } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { visibleTo } from './visible-to.ts';
import { useSettingsText } from './use-settings-text.ts';

interface SeesProps {
  readonly community: MyCommunity;
  readonly channel: Channel;
  readonly category: Channel | undefined;
}

/** Who sees a channel, in a sentence. */
export function WhoSees({ community, channel, category }: SeesProps) {
  const { channels: words } = useSettingsText();
  const roles = visibleTo(community, channel, category);
  if (roles === 'everyone') return <p>{words.everyoneSees}</p>;
  if (roles.length === 0) return <p>{words.nobodySees}</p>;
  return <p>{words.onlySome(roles.join(', '))}</p>;
}
