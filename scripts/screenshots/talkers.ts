import type { FakeClock } from '@hearth/testing/fake-clock';
import { plainTextOf, type LobbyMessage } from '../../packages/sdk/src/index.ts';
import type { WebInstance } from '../../packages/web/test/support/web-instance.ts';
import type { Said } from './talk.ts';

/** The neighbours, who talk without a browser. */
export class Talkers {
  readonly #instance: WebInstance;
  readonly #clock: FakeClock;
  readonly #files: ReadonlyMap<string, Uint8Array>;

  constructor(instance: WebInstance, clock: FakeClock, files: ReadonlyMap<string, Uint8Array>) {
    [this.#instance, this.#clock, this.#files] = [instance, clock, files];
  }

  /** Lets the instance's time pass up to this moment. */
  passTo(at: string): void {
    this.#clock.halt(Date.parse(at) - this.#clock.unixMs());
  }

  /** Lets so many of them be connected, and everybody else know. */
  async connect(count: number): Promise<void> {
    const { href } = new URL('gateway', this.#instance.url);
    for (let each = 0; each < count; each += 1) {
      const socket = new WebSocket(href.replace('http', 'ws'));
      await new Promise((resolve) => socket.addEventListener('open', resolve));
    }
    this.#clock.advance(6_000);
  }

  /** Posts messages, each at its time. */
  async say(messages: readonly Said[]): Promise<void> {
    for (const said of messages) {
      this.passTo(said.at);
      const files = await Promise.all((said.pictures ?? []).map((name) => this.#store(name)));
      const quote = said.answers === undefined ? '' : await this.#quoteOf(said.answers);
      await this.#instance.post([`${quote}${said.text}`, ...files].join('\n'), said.by);
    }
  }

  #store(name: string): Promise<string> {
    const data = this.#files.get(name);
    if (data === undefined) throw new Error(`there is no ${name}`);
    return this.#instance.store(data, name);
  }

  async #quoteOf(beginning: string): Promise<string> {
    const { href: history } = new URL('api/messages?limit=100', this.#instance.url);
    const messages: LobbyMessage[] = await (await fetch(history)).json();
    const quoted = messages.find(({ content }) => content.startsWith(beginning));
    if (quoted === undefined) throw new Error(`nobody has said "${beginning}"`);
    const { id, author, content } = quoted;
    const { href } = new URL(`lobby/${id}`, this.#instance.url);
    return `> [${author}](${href}): ${plainTextOf(content)}\n\n`;
  }
}
