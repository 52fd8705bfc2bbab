import type { NotificationLevel } from '@hearth/protocol';
import { useChannelText } from '../../channels/use-channel-text.ts';
import { CardChoice } from '../../ui/card-choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useCommunities } from '../use-communities.ts';
import type { MenuSubject } from './use-place-menu.ts';

const LEVELS = ['all', 'mentions', 'none'] as const satisfies readonly NotificationLevel[];

interface NotifyProps {
  readonly subject: MenuSubject;
  readonly onClose: () => void;
}

/** The choice what a community or a channel notifies the reader of. What they choose holds at once. */
export function NotifyDialog({ subject: { community, channel }, onClose }: NotifyProps) {
  const communities = useCommunities();
  const { levels: words } = useChannelText();
  const { names, hints } = words;
  const place = channel ?? community;
  const ofCommunity = communities.choices.levelOf(community) ?? 'mentions';
  const otherwise = channel === undefined ? 'mentions' : 'inherit';
  const values = channel === undefined ? LEVELS : (['inherit', ...LEVELS] as const);
  return (
    <Dialog title={words.title(place.name)} onClose={onClose}>
      {communities.choices.isMuted(community, channel) && <p class="hint">{words.muted}</p>}
      <CardChoice
        label={words.label}
        values={values}
        names={names}
        hints={{ ...hints, inherit: hints.inherit(names[ofCommunity]) }}
        value={communities.choices.levelOf(place) ?? otherwise}
        onChange={(level) =>
          void communities.choices.chooseLevel(place, level === 'inherit' ? undefined : level)
        }
      />
    </Dialog>
  );
}
