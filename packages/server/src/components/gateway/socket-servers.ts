import type { SocketServer } from '../../runtime/socket-server.ts';

/** A server that sends events to the sockets that follow a topic. */
export type Publisher = Pick<SocketServer, 'publish' | 'hasSubscribers'>;

/** The servers at which clients connect: the runtime publishes only to the sockets of one of them. */
export class SocketServers implements Publisher {
  readonly #servers: Publisher[] = [];

  add(server: Publisher): void {
    this.#servers.push(server);
  }

  publish(topic: string, text: string): void {
    for (const server of this.#servers) {
      if (server.hasSubscribers(topic)) server.publish(topic, text);
    }
  }

  hasSubscribers(topic: string): boolean {
    return this.#servers.some((server) => server.hasSubscribers(topic));
  }
}
