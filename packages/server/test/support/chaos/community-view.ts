import type { AccountEvent, Id, Member, Role } from '@hearth/protocol';
import type { Placed } from './channel-view.ts';
import type { Person } from './person.ts';
import {
  membersText,
  readMembers,
  readStructure,
  structureText,
  type PlacedChannel,
  type Structure,
} from './structure.ts';

/** Events that only those are sent who watch a community. */
export type Watched = Extract<
  AccountEvent,
  { readonly op: 'MEMBER_CREATE' | 'MEMBER_UPDATE' | 'MEMBER_DELETE' }
>;

type Event = Placed | Watched;

/** Something that is being read, and the events since. */
interface Reading {
  readonly missed: Event[];
}

/** A community and its members as a client shows them, kept up to date by events as the specification says. */
export class CommunityView {
  readonly #person: Person;
  readonly #id: Id;
  #structure: Structure | undefined;
  #members: Map<string, Member> | undefined;
  #reading: { structure?: Reading; members?: Reading } = {};

  constructor(person: Person, id: Id) {
    [this.#person, this.#id] = [person, id];
  }

  get isReading(): boolean {
    return this.#reading.structure !== undefined || this.#reading.members !== undefined;
  }

  get structure(): Structure | undefined {
    return this.#structure;
  }

  get shown() {
    return this.#structure === undefined ? {} : structureText(this.#structure);
  }

  /** The members; undefined unless they are watched. */
  get members(): readonly string[] | undefined {
    return this.#members && membersText(this.#members, this.#person.id);
  }

  /** Shows what READY has. */
  begin(structure: Structure | undefined): void {
    this.#structure = structure;
    this.#members = undefined;
    this.#reading = {};
  }

  /** Reads the community again. Resolves with whether nothing else was read meanwhile. */
  async read(): Promise<boolean> {
    const reading = { missed: [] };
    this.#reading.structure = reading;
    const structure = await readStructure(this.#person, this.#id);
    if (this.#reading.structure !== reading) return false;
    delete this.#reading.structure;
    this.#structure = structure;
    for (const event of reading.missed) this.#change(event);
    return true;
  }

  /** Reads the members, which are watched from now on. */
  async readMembers(): Promise<void> {
    const reading = { missed: [] };
    this.#reading.members = reading;
    const members = await readMembers(this.#person, this.#id);
    if (this.#reading.members !== reading) return;
    delete this.#reading.members;
    this.#members = members && new Map(members);
    for (const event of reading.missed) this.#changeMembers(event);
  }

  /** Shows nothing any more. */
  close(): void {
    this.begin(undefined);
  }

  apply(event: Event): void {
    this.#reading.structure?.missed.push(event);
    this.#reading.members?.missed.push(event);
    this.#change(event);
    this.#changeMembers(event);
  }

  #setChannels(change: (channels: Map<string, PlacedChannel>) => void): void {
    if (this.#structure === undefined) return;
    const channels = new Map(this.#structure.channels);
    change(channels);
    this.#structure = { ...this.#structure, channels };
  }

  #change(event: Event): void {
    const known = this.#structure;
    if (known === undefined) return;
    if (event.op === 'COMMUNITY_UPDATE') {
      const isNewer = event.d.id === this.#id && event.d.version > known.community.version;
      if (isNewer) this.#structure = { ...known, community: event.d };
    } else if (event.op === 'ROLE_CREATE' || event.op === 'ROLE_UPDATE') {
      this.#setRole(known, event.d);
    } else if (event.op === 'ROLE_DELETE') this.#dropRole(known, event.d.id);
    else if (event.op === 'MEMBER_UPDATE' && 't' in event) {
      const { membership } = known;
      const isNewer = membership !== undefined && event.d.version > membership.version;
      if (isNewer) this.#structure = { ...known, membership: event.d };
    } else if (event.op === 'MEMBER_LEAVE') this.#structure = { ...known, membership: undefined };
    else if (event.op === 'CHANNEL_CREATE' || event.op === 'CHANNEL_UPDATE') {
      this.#setChannel(known, event.d);
    } else if (event.op === 'CHANNEL_DELETE') {
      const channel = known.channels.get(event.d.id);
      const isCarried = event.t.startsWith('r:') === (channel?.restricted === true);
      if (isCarried) this.#setChannels((channels) => channels.delete(event.d.id));
    }
  }

  #setChannel({ channels }: Structure, channel: PlacedChannel): void {
    const { version = 0 } = channels.get(channel.id) ?? {};
    if (version > (channel.version ?? 0)) return;
    this.#setChannels((all) => all.set(channel.id, channel));
  }

  #setRole(known: Structure, role: Role): void {
    if ((known.roles.get(role.id)?.version ?? 0) >= role.version) return;
    this.#structure = { ...known, roles: new Map([...known.roles, [role.id, role]]) };
  }

  #dropRole(known: Structure, id: string): void {
    const roles = new Map(known.roles);
    roles.delete(id);
    const { membership } = known;
    this.#structure = {
      ...known,
      roles,
      membership: membership && withoutRole(membership, id),
    };
  }

  #changeMembers(event: Event): void {
    const members = this.#members;
    if (members === undefined) return;
    if (event.op === 'ROLE_DELETE') {
      for (const [id, member] of members) members.set(id, withoutRole(member, event.d.id));
    }
    if ('t' in event) return;
    if (event.op === 'MEMBER_DELETE') members.delete(event.d.user_id);
    else if (event.op === 'MEMBER_CREATE') members.set(event.d.user.id, event.d);
    else {
      const known = members.get(event.d.user.id);
      if (known !== undefined && known.version < event.d.version) {
        members.set(event.d.user.id, event.d);
      }
    }
  }
}

function withoutRole<Value extends { readonly role_ids: readonly Id[] }>(
  value: Value,
  role: string,
): Value {
  return { ...value, role_ids: value.role_ids.filter((id) => id !== role) };
}
