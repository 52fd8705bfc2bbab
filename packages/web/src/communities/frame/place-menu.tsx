import { useState } from 'preact/hooks';
import { webPath, type Permission } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { useAccounts } from '../../account/use-accounts.ts';
import { ownPath } from '../../lib/own-path.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkIcon } from '../../ui/action-icons.tsx';
import { SettingsIcon } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { BellIcon, InviteIcon, LobbyIcon, MutedIcon, ReadIcon } from '../../ui/place-icons.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { channelPath, communityPath } from '../paths.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { useChannelText } from '../../channels/use-channel-text.ts';
import { NotifyDialog } from './notify-dialog.tsx';
import { SignOutIcon as LeaveIcon } from '../../account/icons.tsx';
import type { MenuSubject, PlaceMenuState } from './use-place-menu.ts';

interface Item extends MenuItem {
  readonly run?: () => void;
}

/** The menu of a community or channel while it is open, and the question before somebody leaves. */
export function PlaceMenu({ menu }: { readonly menu: PlaceMenuState }) {
  const [leaving, setLeaving] = useState<MyCommunity | undefined>(undefined);
  const [choosing, setChoosing] = useState<MenuSubject | undefined>(undefined);
  const { open } = menu;
  return (
    <>
      {open !== undefined && (
        <OpenMenu
          menu={menu}
          subject={open}
          onLeave={() => setLeaving(open.community)}
          onNotify={() => setChoosing(open)}
        />
      )}
      {choosing !== undefined && (
        <NotifyDialog subject={choosing} onClose={() => setChoosing(undefined)} />
      )}
      {leaving !== undefined && (
        <LeaveDialog community={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </>
  );
}

interface OpenProps {
  readonly menu: PlaceMenuState;
  readonly subject: MenuSubject;
  readonly onLeave: () => void;
  readonly onNotify: () => void;
}

function OpenMenu({ menu, subject, ...on }: OpenProps) {
  const items = useItems(subject, on);
  const { open } = menu;
  if (open === undefined) return null;
  return (
    <Menu
      label={subject.channel?.name ?? subject.community.name}
      items={items}
      at={open.at}
      onChoose={({ run, href }) => {
        menu.close(href === undefined);
        run?.();
      }}
      onClose={menu.close}
    />
  );
}

function useItems(
  subject: MenuSubject,
  { onLeave, onNotify }: Pick<OpenProps, 'onLeave' | 'onNotify'>,
): readonly Item[] {
  const { community, channel } = subject;
  const { menu: words } = useCommunityText();
  const navigation = useNavigation();
  const reading = useReadingItems(subject);
  const { levels } = useChannelText();
  const isOwner = useAccounts().current.value?.id === community.owner_id;
  const { slug } = community;
  const path = channel === undefined ? communityPath(slug) : channelPath(slug, channel.id);
  const toPage = (page: string) => ownPath(webPath('communitySettingsPage', { slug, page }));
  const may = (permission: Permission) =>
    (channel?.permissions ?? community.permissions).has(permission);
  const isIf = (isThere: boolean, item: Item): readonly Item[] => (isThere ? [item] : []);
  return [
    ...reading,
    { key: 'notify', label: levels.open, icon: <BellIcon />, run: onNotify },
    ...isIf(may('CREATE_INVITES'), {
      key: 'invite',
      label: words.invite,
      icon: <InviteIcon />,
      href: toPage('invites'),
    }),
    ...isIf(channel !== undefined && may('MANAGE_CHANNELS'), {
      key: 'channel',
      label: words.channelSettings,
      icon: <LobbyIcon />,
      href: `${toPage('channels')}#${channel?.id ?? ''}`,
    }),
    {
      key: 'settings',
      label: words.settings,
      icon: <SettingsIcon />,
      href: ownPath(webPath('communitySettings', { slug })),
      isAfterLine: true,
    },
    {
      key: 'copy',
      label: words.copyLink,
      icon: <LinkIcon />,
      run: () => void copyText(navigation.urlOf(path)),
    },
    // Owners have to hand it over first, in the settings.
    ...isIf(channel === undefined && !isOwner, {
      key: 'leave',
      label: words.leave,
      icon: <LeaveIcon />,
      isDanger: true,
      isAfterLine: true,
      run: onLeave,
    }),
  ];
}

/** Marks the place as read, and mutes it. */
function useReadingItems({ community, channel }: MenuSubject): readonly Item[] {
  const communities = useCommunities();
  const { menu: words } = useCommunityText();
  const mute = useMuteItem({ community, channel });
  const markRead = () =>
    channel === undefined
      ? communities.marks.markRead(community)
      : communities.marks.markChannelRead(channel);
  return [
    { key: 'read', label: words.markRead, icon: <ReadIcon />, run: () => void markRead() },
    mute,
  ];
}

/** Mutes the place, or takes back what mutes it: for a channel, that may be its community (RD19). */
function useMuteItem({ community, channel }: MenuSubject): Item {
  const communities = useCommunities();
  const { menu: words } = useCommunityText();
  const item = { key: 'mute', icon: <MutedIcon /> };
  const isWholeMuted = communities.choices.isPlaceMuted(community);
  if (channel !== undefined && (communities.choices.isPlaceMuted(channel) || !isWholeMuted)) {
    const isMuted = communities.choices.isPlaceMuted(channel);
    const run = () => void communities.choices.mute(channel, !isMuted);
    return { ...item, label: isMuted ? words.unmute : words.mute, run };
  }
  const run = () => void communities.choices.mute(community, !isWholeMuted);
  if (channel !== undefined) return { ...item, label: words.unmuteAll(community.name), run };
  return { ...item, label: isWholeMuted ? words.unmute : words.mute, run };
}

interface LeaveProps {
  readonly community: MyCommunity;
  readonly onClose: () => void;
}

/** Asks before the reader leaves a community. */
export function LeaveDialog({ community, onClose }: LeaveProps) {
  const communities = useCommunities();
  const navigation = useNavigation();
  const { menu: words } = useCommunityText();
  const leave = () => {
    onClose();
    const place = navigation.urlOf(communityPath(community.slug));
    // Another place that the reader looks at stays.
    if (location.href === place || location.href.startsWith(`${place}/`)) {
      navigation.goTo(navigation.urlOf(webPath('home', {})), { isReplacing: true });
    }
    void communities.leave(community);
  };
  return (
    <Dialog title={words.leaveTitle(community.name)} onClose={onClose}>
      <p>{words.leaveText(community.name)}</p>
      {community.join === 'invite' && <p>{words.leaveInvite}</p>}
      <div class="form-end">
        <button type="button" class="button button-danger" onClick={leave}>
          {words.leave}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {words.stay}
        </button>
      </div>
    </Dialog>
  );
}
