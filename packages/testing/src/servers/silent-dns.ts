import dns from 'node:dns';
import { createSocket } from 'node:dgram';
import { until } from '../until.ts';

/** A name server that answers nothing, which this process asks until it is disposed. */
export interface SilentDns extends Disposable {
  /** The names that were asked for. */
  readonly asked: ReadonlySet<string>;
  /** Resolves when a name that contains `part` was asked for. */
  askedFor(part: string): Promise<void>;
}

/** Lets this process ask a name server that never answers. */
export async function silentDns(): Promise<SilentDns> {
  const asked = new Set<string>();
  const socket = createSocket('udp4');
  socket.on('message', (query) => asked.add(nameIn(query)));
  const { promise: bound, resolve } = Promise.withResolvers<void>();
  socket.bind(0, '127.0.0.1', resolve);
  await bound;
  const before = dns.getServers();
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked,
    askedFor: (part) => until(async () => [...asked].some((name) => name.includes(part))),
    [Symbol.dispose]() {
      dns.setServers(before);
      socket.close();
    },
  };
}

/** The name in the first question of a query: labels, each after its length, of which the last one is empty. */
function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels.join('.');
}
