import type { Client, ClientEvents, ConnectionState } from '@hearth/sdk';

/** Records all events of a client, and lets tests wait for some of them. */
export interface Witness {
  readonly messages: ClientEvents['message'][];
  readonly contents: readonly string[];
  readonly states: ConnectionState[];
  readonly gaps: ClientEvents['gap'][];
  /** Resolves when `isMet`, which is checked after each event. */
  until(isMet: () => boolean): Promise<void>;
}

/** Listens to a client from now on. */
export function witnessOf(client: Client): Witness {
  const messages: ClientEvents['message'][] = [];
  const states: ConnectionState[] = [];
  const gaps: ClientEvents['gap'][] = [];
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((check) => check());
  client.on('message', (message) => {
    messages.push(message);
    look();
  });
  client.on('connection', (state) => {
    states.push(state);
    look();
  });
  client.on('gap', (gap) => {
    gaps.push(gap);
    look();
  });
  for (const name of ['limit', 'online', 'pauses', 'userUpdate', 'sessionEnd'] as const) {
    client.on(name, look);
  }
  return {
    messages,
    states,
    gaps,
    get contents() {
      return messages.map(({ content }) => content);
    },
    until: (isMet) =>
      new Promise((resolve) => {
        const check = () => {
          if (!isMet()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Returns whether the client is connected and has everything. */
export function isCurrent(client: Client): boolean {
  const { connection } = client;
  return connection.state === 'open' && connection.isCurrent;
}
