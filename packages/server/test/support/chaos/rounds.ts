import type { Database } from '../../../src/ports/database/database.ts';
import { someAct } from './acts.ts';
import type { Choices } from './choices.ts';
import type { Fleet } from './fleet.ts';
import { Ledger } from './ledger.ts';
import { MessageRequests, NOTHING, type Check } from './message-requests.ts';
import type { Outages } from './outages.ts';
import { readMessages } from './channel-view.ts';
import { peopleOf, type Act, type Scene } from './scene.ts';
import { Snapshot } from './snapshot.ts';

/** The numbers of things that are done in a round, all at once. */
const POSTS = 3;
const CHANGES = 3;
const READS = 2;
/** The time in milliseconds that the database may be away. */
const MOST_MS = 20_000;
const PAUSE_MS = 20;
/** Once in so many rounds, a process of this kind is killed. */
const KILL_ONCE_IN = { rest: 4, gateway: 5 } as const;

/** The state before a round and after it, by which it is known who saw what meanwhile. */
export interface Round {
  readonly before: Snapshot;
  readonly after: Snapshot;
}

export interface RoundsOptions {
  readonly scene: Scene;
  readonly fleet: Fleet;
  readonly database: Pick<Database, 'reader'>;
  readonly choices: Choices;
  /** The outages of servers meanwhile. */
  readonly outages: Outages | undefined;
}

/** Rounds of requests, of which one at most changes who may see what, so that it is known who must be sent what. */
export class Rounds {
  readonly ledger = new Ledger();
  readonly rounds: Round[] = [];
  readonly #options: RoundsOptions;
  readonly #restarts = new Set<Promise<void>>();
  #now: Snapshot;

  private constructor(options: RoundsOptions, now: Snapshot) {
    this.#options = options;
    this.#now = now;
  }

  static async begin(options: RoundsOptions): Promise<Rounds> {
    return new Rounds(options, await snapshotOf(options));
  }

  get now(): Snapshot {
    return this.#now;
  }

  /** Does a round, and checks every answer. */
  async next(): Promise<void> {
    const { scene, choices, fleet, outages } = this.#options;
    const before = this.#now;
    const at = this.rounds.length;
    const act = choices.onceIn(4) ? undefined : someAct({ scene, snapshot: before, choices });
    const { ledger } = this;
    const removed = act?.removes;
    const messages = new MessageRequests({ scene, choices, ledger, before, at, removed });
    const outage = outages?.begin(choices);
    const checks: (Promise<Check> | undefined)[] = [
      ...Array.from({ length: POSTS }, () => messages.post()),
      ...Array.from({ length: CHANGES }, () => messages.change()),
      ...Array.from({ length: READS }, () => this.#read()),
      ...(act === undefined ? [] : [this.#act(act, at)]),
    ];
    for (const kind of ['rest', 'gateway'] as const) {
      if (choices.onceIn(KILL_ONCE_IN[kind])) this.#restart(fleet.kill(kind, choices));
    }
    const done = await Promise.all(checks);
    await outage;
    this.#now = await snapshotOf(this.#options);
    this.rounds.push({ before, after: this.#now });
    for (const check of done) check?.(this.#now);
    for (const message of this.ledger.written.values()) {
      if (!this.#now.channels.includes(message.channel)) message.isDeleted = true;
    }
  }

  /** Resolves when all processes run that were killed. */
  async settled(): Promise<void> {
    await Promise.all(this.#restarts);
  }

  #restart(started: Promise<void>): void {
    this.#restarts.add(started);
    // It is reported to those who wait for all of them.
    started.catch(() => {});
  }

  async #act({ by, method, path, body, removes }: Act, at: number): Promise<Check> {
    const { status, wasRepeated } = await by.ask(method, path, body);
    const isSure = status === 200;
    if (removes !== undefined && (isSure || wasRepeated)) {
      const isRemoved = isSure && !this.#options.fleet.isKilled;
      this.ledger.removeAllOf(removes, { isSure: isRemoved, round: at });
    }
    return NOTHING;
  }

  /** Somebody reads a channel: nothing if they may not know of it, and otherwise everything that was answered before. */
  async #read(): Promise<Check> {
    const { choices, scene } = this.#options;
    const [earlier, before] = [this.rounds.at(-1)?.before ?? this.#now, this.#now];
    const people = [...peopleOf(scene), scene.guest];
    const [person, channel] = [choices.of(people), choices.of(before.channels)];
    const existing = this.ledger.messagesOf(channel);
    const { status } = await person.ask('GET', `/channels/${channel}/messages?limit=1`);
    const messages = await readMessages(person, channel);
    return (after) => {
      const sees = [earlier, before, after].map((each) => each.mayRead(person.id, channel));
      if (sees.every((each) => !each) && status !== 404) {
        throw new Error(`${person.name} reads ${channel}, which is hidden: ${status}`);
      }
      if (!sees.every(Boolean)) return;
      const found = new Set<string>(messages.map(({ id }) => id));
      const lost = existing.filter(
        ({ id, isDeleted, content }) =>
          !found.has(id) && !isDeleted && !this.ledger.isUnsure(content),
      );
      if (status === 200 && lost.length === 0) return;
      throw new Error(`${person.name} reads ${channel}: ${status} without ${JSON.stringify(lost)}`);
    };
  }
}

/** Reads what there is, again if the connection to the database was lost. */
async function snapshotOf({
  database,
  scene,
}: Pick<RoundsOptions, 'database' | 'scene'>): Promise<Snapshot> {
  const people = peopleOf(scene).map(({ id }) => id);
  for (const endAt = performance.now() + MOST_MS; ;) {
    try {
      return await Snapshot.read(database, scene.community, people);
    } catch (error) {
      if (performance.now() > endAt) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}
