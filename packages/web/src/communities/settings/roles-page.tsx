import { useState } from 'preact/hooks';
import type { Id, Role } from '@hearth/protocol';
import { useAccounts } from '../../account/use-accounts.ts';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { ForthIcon } from '../../ui/icons.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { useCommunities } from '../use-communities.ts';
import { moveRow } from './move-rows.ts';
import { RoleForm } from './role-form.tsx';
import { mayChangeRole } from './standing.ts';
import { useAct } from './use-act.ts';
import { useSettingsText } from './use-settings-text.ts';
import { useOpenedLine } from './use-opened-line.ts';
import { useOrder } from './use-order.ts';

/** The roles, the strongest first, and one of them. */
export function RolesPage({ community }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { roles: words } = useSettingsText();
  const act = useAct();
  const [openId, setOpenId] = useState<Id | undefined>(undefined);
  const line = useOpenedLine();
  const openRole = (id: Id) => {
    line.opened(id);
    setOpenId(id);
  };
  const open = community.roles.find(({ id }) => id === openId);
  const add = () =>
    void act.run(async () => {
      const { id } = await requests.createRole(community.id, {
        name: words.newName,
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions: [],
      });
      openRole(id);
    });
  if (open !== undefined) {
    return (
      <RoleForm
        key={open.id}
        community={community}
        role={open}
        onClose={(isGone) => {
          line.closed(isGone);
          setOpenId(undefined);
        }}
      />
    );
  }
  return (
    <>
      <p class="hint">{words.hint}</p>
      <RoleList community={community} onOpen={openRole} />
      <div class="form-end">
        <button type="button" class="button" aria-disabled={act.isBusy} onClick={add}>
          <PlusIcon />
          {words.add}
        </button>
        <p class="problem" role="alert">
          {act.problem}
        </p>
      </div>
    </>
  );
}

interface ListProps {
  readonly community: MyCommunity;
  readonly onOpen: (id: Id) => void;
}

function RoleList({ community, onOpen }: ListProps) {
  const { requests } = useCommunities();
  const { roles: words, order, pages } = useSettingsText();
  const reader = useAccounts().current.value?.id;
  const strongestFirst = community.roles.toReversed();
  const rows = strongestFirst.map((role) => ({
    key: role.id,
    name: role.id === community.id ? words.everyone : role.name,
    isFixed: role.id === community.id || !mayChangeRole(community, role, reader),
    role,
  }));
  const { shown, problem, onOrder } = useOrder(rows, (ordered) => {
    const ids = ordered.map(({ role }) => role.id).filter((id) => id !== community.id);
    return requests.orderRoles(community.id, ids.toReversed());
  });
  return (
    <>
      <SortableList
        label={pages.roles}
        items={shown}
        words={order}
        // Nothing passes a line that stays where it is.
        move={(items, from, to) => (items[to]?.isFixed === true ? items : moveRow(items, from, to))}
        onOrder={onOrder}
      >
        {({ role, name }) => (
          <button
            type="button"
            class="sortable-line"
            data-line={role.id}
            onClick={() => onOpen(role.id)}
          >
            <RoleDot role={role} />
            <span class="sortable-name">
              <bdi>{name}</bdi>
            </span>
            <ForthIcon />
          </button>
        )}
      </SortableList>
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}

/** The colour of a role. */
export function RoleDot({ role }: { readonly role: Pick<Role, 'colour'> }) {
  return (
    <svg class="role-dot" viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="6" cy="6" r="5" fill={role.colour ?? 'var(--line-strong)'} />
    </svg>
  );
}
