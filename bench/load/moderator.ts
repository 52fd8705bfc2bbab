import type { Id } from '@hearth/protocol';
import { AskingSocket, isAcknowledged, requireKnown, type Outcome } from './asking-socket.ts';

/** The place where a moderator acts. */
export interface Moderated {
  readonly community: Id;
  readonly channel: Id;
}

/** The outcome of a moderator's acts. */
export interface Acts {
  readonly tried: number;
  /** The number of acts that succeeded in time. */
  readonly done: number;
}

/** The longest time that an act may take. */
export const ACT_MS = 1_000;

const ROUND_MS = 500;
/** So that people are left who can be removed. */
export const MOST_ROUNDS = 8;
const SLOW_MODE_SECONDS = 60;

/** A moderator who kicks somebody, bans somebody else and sets slow mode, all at once, while others write. */
export class Moderator implements Disposable {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #sockets: readonly [AskingSocket, AskingSocket, AskingSocket];

  /** The ports take turns. */
  constructor(ports: readonly number[], authorization: string) {
    const socketAt = (at: number) => new AskingSocket(ports[at % ports.length] ?? 0);
    this.#headers = { authorization };
    this.#sockets = [socketAt(0), socketAt(1), socketAt(2)];
  }

  async prepare(): Promise<void> {
    for (const socket of this.#sockets) await socket.connect();
  }

  /** Acts at once and twice a second while `work` is in progress, for some seconds. Each act removes the next victim. */
  async actDuring(
    work: Promise<unknown>,
    { community, channel }: Moderated,
    victims: readonly Id[],
  ): Promise<Acts> {
    const ended = work.then(() => true);
    let [tried, done] = [0, 0];
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const [kicked, banned] = victims.slice(2 * round);
      if (kicked === undefined || banned === undefined) break;
      const [kicking, banning, slowing] = this.#sockets;
      const headers = this.#headers;
      const kick = `/communities/${community}/members/${kicked}`;
      const ban = `/communities/${community}/bans/${banned}`;
      const slow = `/channels/${channel}`;
      const body = JSON.stringify({ slow_mode_seconds: SLOW_MODE_SECONDS + round });
      const outcomes = await Promise.all([
        kicking.insist({ method: 'DELETE', path: kick, headers }),
        banning.insist({ method: 'PUT', path: ban, headers, body: '{}' }),
        slowing.insist({ method: 'PATCH', path: slow, headers, body }),
      ]);
      tried += outcomes.length;
      done += outcomes.filter(isDone).length;
      if (await Promise.race([ended, Bun.sleep(ROUND_MS).then(() => false)])) break;
    }
    await work;
    return { tried, done };
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket[Symbol.dispose]();
  }
}

function isDone(outcome: Outcome): boolean {
  requireKnown(outcome);
  return isAcknowledged(outcome) && outcome.milliseconds <= ACT_MS;
}
