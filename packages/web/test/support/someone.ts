import { expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { en } from '../../src/text/en.ts';
import { PATIENCE_MS, type Visit } from '@hearth/testing/browser/visit';
import type { WebInstance } from './web-instance.ts';

/** Somebody who uses the web client, by what a person sees of it. */
export class Someone {
  readonly visit: Visit;
  readonly page: Page;
  /** The region of the messages. */
  readonly log: Locator;
  /** Every text box there is, in the order of the page. */
  readonly textBoxes: Locator;

  constructor(visit: Visit) {
    this.visit = visit;
    this.page = visit.page;
    this.log = this.page.getByRole('log');
    this.textBoxes = this.page.getByRole('textbox');
  }

  /** Opens the page of an instance, and no more. */
  static async arrive(visit: Visit, instance: Pick<WebInstance, 'url'>): Promise<Someone> {
    const someone = new Someone(visit);
    await visit.page.goto(instance.url);
    await someone.textBoxes.first().waitFor();
    return someone;
  }

  /** Opens the page, chooses a name, and waits until messages come live. */
  static async enter(
    visit: Visit,
    instance: Pick<WebInstance, 'url'>,
    name = 'Grace',
  ): Promise<Someone> {
    const someone = await Someone.arrive(visit, instance);
    await someone.comeIn(name);
    return someone;
  }

  async comeIn(name: string): Promise<void> {
    await this.textBoxes.fill(name);
    await this.textBoxes.press('Enter');
    await this.waitUntilOnline();
  }

  /** Resolves when the page shows that it is connected. */
  async waitUntilOnline(): Promise<void> {
    await this.status(en.shell.connection.online).waitFor({ state: 'attached' });
  }

  /** Resolves when the page is connected again; presses "Try now" if it is offered. */
  async comeBack(): Promise<void> {
    const online = this.waitUntilOnline();
    void this.button(en.shell.connection.tryNow)
      .click({ timeout: 5_000 })
      .catch(() => {});
    await online;
  }

  /** Restarts an instance, with a change; resolves when the page has seen it go and come back. */
  async seeRestart(
    instance: WebInstance,
    changed: Parameters<WebInstance['startAgain']>[0],
  ): Promise<void> {
    await instance.stop();
    // Until then, the page believes that it is online.
    await this.page.getByText(en.shell.banner.reconnecting).waitFor();
    await instance.startAgain(changed);
    await this.comeBack();
  }

  /** The displayed state of the connection, if it is `words`. */
  status(words: string): Locator {
    return this.page.getByRole('banner').getByText(`${en.shell.connection.label}: ${words}`);
  }

  /** The box in which messages are written. */
  get messageBox(): Locator {
    return this.textBoxes.last();
  }

  async write(text: string): Promise<void> {
    await this.messageBox.fill(text);
  }

  /** Writes a message and sends it by Enter. */
  async say(text: string): Promise<void> {
    await this.write(text);
    await this.messageBox.press('Enter');
  }

  /** A message with exactly this text. */
  message(text: string): Locator {
    return this.log.getByText(text, { exact: true });
  }

  /** Resolves when a message with this text is shown. */
  async reads(text: string): Promise<void> {
    await this.message(text).first().waitFor();
  }

  /** The texts of the matching messages, from top to bottom, each as often as it is there. */
  async shown(pattern: RegExp): Promise<readonly string[]> {
    const text = await this.log.innerText();
    return Array.from(text.matchAll(new RegExp(pattern, `${pattern.flags}g`)), ([match]) => match);
  }

  /** Resolves when the texts of the matching messages are `expected`; fails with what was there instead. */
  async sees(pattern: RegExp, expected: readonly string[]): Promise<void> {
    await eventually(() => this.shown(pattern), expected);
  }

  /** The button with this label. */
  button(label: string | RegExp): Locator {
    return this.page.getByRole('button', { name: label });
  }

  /** Lets the browser send at this speed and no faster. */
  async slowDown(bytesPerSecond: number): Promise<void> {
    const session = await this.visit.context.newCDPSession(this.page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  }

  /** Counts the entries of the browser's history before the current one that are the page's own. */
  entriesBefore(): Promise<number> {
    return this.page.evaluate(() => Reflect.get(history.state, 'entriesBefore'));
  }

  /**
   * Goes back, once `from` entries before the current one are the page's own. What has just opened gets its entry a
   * moment later, and what was closed loses it a moment later.
   */
  async goBack({ from }: { readonly from: number }): Promise<void> {
    await eventually(() => this.entriesBefore(), from);
    // The browser's own command may not know yet which entries the page has made.
    await this.page.evaluate(() => history.back());
  }

  async openSettings(): Promise<Locator> {
    await this.button(inAnyWords(en.shell.header.you)).click();
    const settings = this.page.getByRole('dialog', { name: en.shell.settings.title });
    await settings.waitFor();
    return settings;
  }
}

/** A pattern for a text of the catalogue, with any values. */
export function inAnyWords(
  say: ((...values: string[]) => string) | ((count: number, shown: string) => string),
): RegExp {
  // Including numbers: the text for none is the one for many.
  const escaped = Reflect.apply(
    say,
    undefined,
    Array.from({ length: say.length }, () => '\u0001'),
  ).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(escaped.replaceAll('\u0001', '.+'));
}

/** Resolves when `read` returns `expected`; fails with the last result. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  expected: NoInfer<Value>,
): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  let value = await read();
  while (!Bun.deepEquals(value, expected) && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    value = await read();
  }
  expect<unknown>(value).toEqual(expected);
}
