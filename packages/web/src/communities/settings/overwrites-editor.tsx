import { useRef, useState } from 'preact/hooks';
import type { Channel, Id, Member, Permission, WrittenOverwrite } from '@hearth/protocol';
import { DeleteIcon } from '../../ui/action-icons.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { InTurn } from '../in-turn.ts';
import { useCommunities } from '../use-communities.ts';
import { nameOfMember } from './names.ts';
import { Outcome } from './outcome.tsx';
import { OverwriteChoice } from './overwrite-choice.tsx';
import { withState, type OverwriteState } from './overwrite-state.ts';
import { OverwriteStates } from './overwrite-states.tsx';
import { useAct, type Act } from './use-act.ts';
import type { NamedMembers } from './use-named-members.ts';
import { useSettingsText } from './use-settings-text.ts';

interface EditorProps {
  readonly community: MyCommunity;
  readonly channel: Channel;
  /** The members whom its overwrites name. */
  readonly members: NamedMembers;
  readonly onChanged: () => void;
}

/** The permissions that roles and members are allowed and denied in a channel: each permission has three states. */
export function OverwritesEditor({ community, channel, members, onChanged }: EditorProps) {
  const words = useSettingsText();
  const act = useAct();
  const [found, setFound] = useState<readonly Member[]>([]);
  const { chosen, shown, setChosen, change, remove } = useOverwrites({
    channel,
    onChanged,
    act,
    isMember: (id) => found.some(({ user }) => user.id === id),
  });
  const names = namesOf(community, [...members.all, ...found], words.roles.everyone);
  const isSet = (id: string) => (channel.overwrites ?? []).some((each) => each.id === id);
  for (const { id } of channel.overwrites ?? []) {
    if (members.isGone(id)) names[id] ??= words.overwrites.gone;
  }
  const name = names[chosen] ?? '';
  const own = community.channels.find(({ id }) => id === channel.id)?.permissions;
  const mayChange = (permission: Permission) => own?.has(permission) === true;
  return (
    <div class="overwrites">
      <p class="hint">{words.overwrites.hint}</p>
      <OverwriteChoice
        community={community}
        names={names}
        isSet={isSet}
        chosen={chosen}
        onChoose={setChosen}
        onFound={(member) => {
          setFound((before) => [...before, member]);
          setChosen(member.user.id);
        }}
      />
      <OverwriteStates
        name={name}
        overwrite={shown}
        kind={channel.kind}
        mayChange={mayChange}
        onChange={change}
      />
      {isSet(chosen) && [...shown.allow, ...shown.deny].every(mayChange) && (
        <button type="button" class="button button-plain" onClick={remove}>
          <DeleteIcon />
          {words.overwrites.remove(name)}
        </button>
      )}
      <Outcome act={act} />
    </div>
  );
}

interface OverwritesOptions {
  readonly channel: Channel;
  readonly onChanged: () => void;
  readonly act: Act;
  /** Returns whether the id is that of a member for whom nothing is set yet. */
  readonly isMember: (id: Id) => boolean;
}

function useOverwrites({ channel, onChanged, act, isMember }: OverwritesOptions) {
  const { requests } = useCommunities();
  const turns = useRef(new InTurn()).current;
  const [chosen, setChosen] = useState<string>(channel.community_id);
  // Shown before the instance has it.
  const [drafts, setDrafts] = useState<ReadonlyMap<string, WrittenOverwrite>>(new Map());
  const stored = channel.overwrites?.find(({ id }) => id === chosen);
  // Guarantee: the choices are identifiers.
  const id = chosen as Id;
  const kind = isMember(id) ? 'member' : 'role';
  const shown = drafts.get(chosen) ?? stored ?? { id, kind, allow: [], deny: [] };
  const forget = () => setDrafts(new Map());
  const send = (request: () => Promise<unknown>) =>
    void turns
      .run(chosen, () => act.run(request))
      .then((isSaved) => {
        if (isSaved === true) onChanged();
        if (isSaved === false) forget();
      });
  const change = (permission: Permission, state: OverwriteState) => {
    const next = withState(shown, permission, state);
    setDrafts((before) => new Map(before).set(chosen, next));
    const { allow, deny } = next;
    send(() => requests.setOverwrite(channel.id, id, { kind: next.kind, allow, deny }));
  };
  const remove = () => {
    setDrafts((before) => new Map(before).set(chosen, { ...shown, allow: [], deny: [] }));
    send(() => requests.deleteOverwrite(channel.id, id));
  };
  return { chosen, shown, setChosen, change, remove };
}

function namesOf(
  { id, roles }: MyCommunity,
  members: readonly Member[],
  everyone: string,
): Record<string, string> {
  // Ids are long numbers, so their order in an object is that in which they were added.
  return Object.fromEntries([
    [id, `@${everyone}`],
    ...roles
      .filter((role) => role.id !== id)
      .toReversed()
      .map((role) => [role.id, `@${role.name}`]),
    ...members.map((member) => [member.user.id, nameOfMember(member)]),
  ]) as Record<string, string>;
}
