import { startDocumentedServer } from './documented-server.ts';
import { until } from '../until.ts';

/** The parts of a lobby message that a test sets. */
export interface ScriptedMessage {
  readonly id: string;
  readonly author: string;
  readonly content: string;
  readonly created_at: number;
}

/** An instance whose gateway sends what a test wants, on profile 1. */
export interface ScriptedLobby extends AsyncDisposable {
  readonly url: string;
  /** The messages of the history, the newest first. */
  readonly history: ScriptedMessage[];
  /** All requests: see DocumentedServer. */
  readonly seen: readonly string[];
  /** Waits for one more client, and accepts it. */
  greet(): Promise<void>;
  /** Sends an event to every client, with the next position. */
  emit(op: string, d: object): void;
  /** Continues at another position. */
  moveTo(s: number): void;
}

/** An instance with an empty history, at position 0. */
export function startScriptedLobby(): ScriptedLobby {
  const history: ScriptedMessage[] = [];
  let greeted = 0;
  let s = 0;
  const server = startDocumentedServer({
    isMute: true,
    isExtended: true,
    answer: ({ url, method }) =>
      method === 'GET' && url.includes('/messages?') ? Response.json(history) : undefined,
  });
  return {
    url: server.url,
    history,
    seen: server.seen,
    async greet() {
      greeted += 1;
      await until(async () => server.seen.filter((line) => line === 'PING').length >= greeted);
      const d = { v: 1, heartbeat_interval: 45_000, epoch: 'e', s, recovered: null };
      server.push(JSON.stringify({ op: 'HELLO', d }));
      server.push('{"op":"PONG"}');
    },
    emit(op, d) {
      s += 1;
      server.push(JSON.stringify({ op, s, d }));
    },
    moveTo(position) {
      s = position;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A message with this number as its id. */
export function scriptedMessage(number: number): ScriptedMessage {
  return { id: String(number), author: 'ada', content: `no. ${number}`, created_at: 1_000 };
}
