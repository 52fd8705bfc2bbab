import { signal } from '@preact/signals';
import type { Id, User, UserSummary } from '@hearth/protocol';
import { userSummarySchema } from '@hearth/protocol/schemas';
import type { Client } from '@hearth/sdk';

/** The number of people that are remembered. */
const MOST_REMEMBERED = 200;

/** The number of them that are read again when what is watched begins or changes: they may have changed meanwhile. */
const MOST_READ = 10;

type PeopleClient = Pick<Client, 'on' | 'user'>;

/** People as they are now, of whom something has changed since the page was loaded. */
const changed = signal<ReadonlyMap<Id, UserSummary>>(new Map());

/** Returns a person as they are now, for what was written or listed before they changed. To be called while rendering. */
export function personNow(user: UserSummary): UserSummary {
  return changed.value.get(user.id) ?? user;
}

/** Learns what changes of the people of the community that is watched, and of the reader. Returns a function that ends it. */
export function followPeople(client: PeopleClient): () => void {
  const offs = [
    client.on('user', note),
    client.on('userUpdate', note),
    client.on('watched', () => void readAgain(client)),
  ];
  return () => {
    for (const off of offs) off();
    changed.value = new Map();
  };
}

function note(user: User): void {
  const others = [...changed.peek()].filter(([id]) => id !== user.id);
  const kept = others.slice(1 - MOST_REMEMBERED);
  changed.value = new Map([...kept, [user.id, summaryOf(user)]]);
}

async function readAgain(client: PeopleClient): Promise<void> {
  for (const [id, known] of [...changed.peek()].slice(-MOST_READ)) {
    if (known.deleted === true) continue;
    const user = await client.user(id).catch(() => undefined);
    // What an event has said meanwhile is newer than the answer may be.
    const isNewest = changed.peek().get(id) === known;
    if (user !== undefined && isNewest && isOther(user, known)) note(user);
  }
}

function isOther(user: User, known: UserSummary): boolean {
  return JSON.stringify(summaryOf(user)) !== JSON.stringify(known);
}

/** Returns a person as other objects mention them. */
export function summaryOf(user: User): UserSummary {
  return userSummarySchema.parse(user);
}
