import { useCallback, useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { useFormats } from '../../text/use-text.ts';
import { Form } from '../../account/form.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { LinkBox } from '../create/done.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { useCommunities } from '../use-communities.ts';
import type { CommunityInvite } from '../wire.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { SelectField } from './select-field.tsx';
import { PagedTable, useDecidedTable } from './paged-table.tsx';
import { useSettingsForm } from './use-settings-form.ts';
import { useSettingsText } from './use-settings-text.ts';

/** The invites: more can be made, and those that there are copied and revoked. */
export function InvitesPage({ community }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { invites: words } = useSettingsText();
  const { id } = community;
  const mayCreate = community.permissions.has('CREATE_INVITES');
  const { list, decide, table } = useDecidedTable(
    useCallback(
      async () => ({ entries: await requests.invites(id), next: undefined }),
      [requests, id],
    ),
  );
  return (
    <>
      {mayCreate && (
        <NewInvite
          community={community}
          onMade={(invite) => list.change((all) => [invite, ...all])}
        />
      )}
      <PagedTable {...table} none={words.none}>
        {(invite) => (
          <InviteLine
            key={invite.code}
            invite={invite}
            onRevoke={() => decide(invite, () => requests.revokeInvite(id, invite.code))}
          />
        )}
      </PagedTable>
    </>
  );
}

interface NewProps {
  readonly community: MyCommunity;
  readonly onMade: (invite: CommunityInvite) => void;
}

function NewInvite({ community, onMade }: NewProps) {
  const { requests } = useCommunities();
  const { invites: words } = useSettingsText();
  const navigation = useNavigation();
  const [made, setMade] = useState<string | undefined>(undefined);
  const form = useSettingsForm({
    initial: { lasts: '604800', uses: '0' },
    async submit({ lasts, uses }) {
      const invite = await requests.createInvite(community.id, {
        ...(lasts !== '0' && { expires_at: Date.now() + Number(lasts) * 1_000 }),
        ...(uses !== '0' && { max_uses: Number(uses) }),
      });
      setMade(invite.code);
      onMade(invite);
    },
  });
  return (
    <div class="new-invite">
      <Form form={form} action={words.create}>
        <div class="field-row">
          <SelectField
            label={words.expires}
            names={words.expiries}
            value={form.draft.lasts}
            onChange={(lasts) => form.change({ lasts })}
          />
          <SelectField
            label={words.uses}
            names={words.useLimits}
            value={form.draft.uses}
            onChange={(uses) => form.change({ uses })}
          />
        </div>
      </Form>
      {made !== undefined && (
        <LinkBox
          label={words.link}
          copy={words.copy}
          url={navigation.urlOf(webPath('invite', { code: made }))}
        />
      )}
    </div>
  );
}

interface LineProps {
  readonly invite: CommunityInvite;
  readonly onRevoke: () => void;
}

function InviteLine({ invite, onRevoke }: LineProps) {
  const { invites: words } = useSettingsText();
  const navigation = useNavigation();
  const formats = useFormats();
  const { code, uses, max_uses: most, expires_at: until, created_by: by } = invite;
  const facts = [
    words.used(formats.count(uses), most === undefined ? undefined : formats.count(most)),
    ...(until === undefined ? [] : [words.until(formats.moment(until))]),
    ...(by === undefined ? [] : [words.by(nameOfPerson(by))]),
  ];
  return (
    <li class="member">
      <div class="member-text">
        <p>
          <code>{code}</code>
        </p>
        <p class="hint">{facts.join(' · ')}</p>
      </div>
      <CopyButton
        class="icon-button"
        label={`${words.copy} ${code}`}
        text={navigation.urlOf(webPath('invite', { code }))}
      />
      <button type="button" class="button" aria-label={words.revokeOf(code)} onClick={onRevoke}>
        {words.revoke}
      </button>
    </li>
  );
}
