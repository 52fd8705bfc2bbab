import { useState } from 'preact/hooks';
import { useAccounts } from '../../account/use-accounts.ts';
import { SettingsRow } from '../../account/settings/settings-row.tsx';
import { LeaveDialog } from '../frame/place-menu.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { useCommunityText } from '../use-community-text.ts';
import { DeleteForm } from './delete-form.tsx';
import { HandOverForm } from './hand-over-form.tsx';
import { useSettingsText } from './use-settings-text.ts';

/** Leaving, handing over and deleting a community. */
export function LeavePage({ community }: { readonly community: MyCommunity }) {
  const { leave: words } = useSettingsText();
  const { menu } = useCommunityText();
  const reader = useAccounts().current.value?.id;
  const [open, setOpen] = useState<'handOver' | 'delete' | undefined>(undefined);
  const [isLeaving, setIsLeaving] = useState(false);
  const isOwner = community.owner_id === reader;
  const toggle = (row: 'handOver' | 'delete') => setOpen(open === row ? undefined : row);
  if (!isOwner) {
    return (
      <>
        <SettingsRow
          label={menu.leave}
          value={menu.leaveText(community.name)}
          action={menu.leave}
          look="danger"
          onToggle={() => setIsLeaving(true)}
        />
        {isLeaving && <LeaveDialog community={community} onClose={() => setIsLeaving(false)} />}
      </>
    );
  }
  return (
    <div class="settings-rows">
      <p class="hint">{words.ownerStays}</p>
      <SettingsRow
        label={words.handOver}
        value={words.handOverText}
        action={words.handOver}
        isOpen={open === 'handOver'}
        onToggle={() => toggle('handOver')}
      >
        <HandOverForm community={community} onDone={() => setOpen(undefined)} />
      </SettingsRow>
      <SettingsRow
        label={words.delete}
        value={words.deleteText(community.name)}
        action={words.delete}
        look="danger"
        isOpen={open === 'delete'}
        onToggle={() => toggle('delete')}
      >
        <DeleteForm community={community} />
      </SettingsRow>
    </div>
  );
}
