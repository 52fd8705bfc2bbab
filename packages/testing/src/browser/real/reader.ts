import { z } from 'zod';
import { PATIENCE_MS } from '../visit.ts';
import { clickAt, moveTo, pressed, scrolledAt, typed, type Point } from './actions.ts';
import { foundSchema, type Found, type PageSide, type Query } from './query.ts';
import type { RealBrowser, Size } from './real-browser.ts';

const PAUSE_MS = 50;
const MOST_SHOWN = 1_500;

const ASK = `(name, ...values) => {
  if (globalThis.pageSide === undefined) throw new Error('the page runs no scripts');
  return globalThis.pageSide[name](...values);
}`;

/** Somebody at a browser: what they see on a page of an instance, and what they do there. */
export class Reader {
  readonly browser: RealBrowser;

  constructor(browser: RealBrowser) {
    this.browser = browser;
  }

  /** Opens an address. */
  async visit(url: string | URL): Promise<void> {
    await this.browser.goTo(String(url));
  }

  /** Resolves when exactly one thing that matches is seen. */
  async sees(query: Query): Promise<Found> {
    return this.#wait(`see ${inWords(query)}`, async () => {
      const found = await this.find(query);
      return found.length === 1 ? found[0] : undefined;
    });
  }

  /** Resolves when nothing that matches is seen. */
  async seesNo(query: Query): Promise<void> {
    await this.#wait(`see no ${inWords(query)}`, async () => {
      return (await this.find(query)).length === 0 ? true : undefined;
    });
  }

  /** Resolves when `isMet` of what is seen. */
  async seesThat(query: Query, isMet: (found: readonly Found[]) => boolean): Promise<void> {
    await this.#wait(`see ${inWords(query)} as expected`, async () => {
      return isMet(await this.find(query)) ? true : undefined;
    });
  }

  /** Clicks on what matches, again if it moved meanwhile; with the button on the right if it `opensMenu`. */
  async click(query: Query, opensMenu = false): Promise<void> {
    await this.#wait(`hit ${inWords(query)}`, async () => {
      const point = await this.#reach(query);
      await this.#ask('aim', query);
      await this.browser.perform([clickAt(point, opensMenu)]);
      // Nobody can ask a page that is being left, and it has been hit then.
      const hasHit = await this.#ask('hasHit').catch(() => true);
      return hasHit === true ? true : undefined;
    });
  }

  async pointAt(query: Query): Promise<void> {
    await this.browser.perform([moveTo(await this.#reach(query))]);
  }

  /** Turns the wheel over something, by that many CSS pixels at a time, until what matches is seen there. */
  async scrollTo(query: Query, over: Query, deltaY: number): Promise<void> {
    await this.#wait(`scroll to ${inWords(query)}`, async () => {
      if ((await this.find(query)).length > 0) return true;
      await this.browser.perform([scrolledAt(await this.sees(over), deltaY)]);
      return undefined;
    });
  }

  /** Clicks into a box and types there. */
  async type(query: Query, text: string): Promise<void> {
    await this.click(query);
    await this.seesThat(query, ([found]) => found?.isFocused === true);
    await this.browser.perform([typed(text)]);
    await this.seesThat(query, ([found]) => found?.value.includes(text) === true);
  }

  /** Presses keys at once, such as `Control+Enter`. */
  async press(combination: string): Promise<void> {
    await this.browser.perform([pressed(combination)]);
  }

  async resize(size: Size): Promise<void> {
    await this.browser.resize(size);
  }

  /** All that matches at the moment. */
  async find(query: Query): Promise<readonly Found[]> {
    return z.array(foundSchema).parse(await this.#ask('find', query));
  }

  /** Returns what has gone wrong on pages since the last call. */
  async takeFaults(): Promise<readonly string[]> {
    return z.array(z.string()).parse(await this.#ask('takeFaults'));
  }

  /** Calls a function in the page, with values that JSON can express. */
  call<Values extends readonly unknown[]>(
    run: (...values: Values) => unknown,
    ...values: Values
  ): Promise<unknown> {
    return this.browser.call(String(run), values);
  }

  #ask(name: keyof PageSide, ...values: readonly Query[]): Promise<unknown> {
    return this.browser.call(ASK, [name, ...values]);
  }

  /** A place at which a click reaches what matches, when it stays there. */
  async #reach(query: Query): Promise<Point> {
    let before: Point | undefined;
    let cover = '';
    const reach = async () => {
      const found = await this.find(query);
      const [only] = found;
      if (found.length !== 1 || only === undefined) return undefined;
      if (!only.isReached) {
        cover = only.cover;
        await this.#ask('bring', query);
      }
      const isStill = before?.x === only.x && before.y === only.y;
      before = only;
      return isStill && only.isReached && only.isEnabled ? only : undefined;
    };
    return this.#wait(`reach ${inWords(query)}`, reach, () => cover && `Over it is ${cover}.`);
  }

  /** Waits until `read` has a value. While a page is left for another one, nothing can be read. */
  async #wait<Value>(
    what: string,
    read: () => Promise<Value | undefined>,
    why = () => '',
  ): Promise<Value> {
    const until = Date.now() + PATIENCE_MS;
    let failure: unknown;
    while (Date.now() < until) {
      try {
        const value = await read();
        if (value !== undefined) return value;
        failure = undefined;
      } catch (error) {
        failure = error;
      }
      await Bun.sleep(PAUSE_MS);
    }
    if (failure !== undefined) throw failure;
    const shown = await this.call(() => `${location.href}\n${document.body.innerText}`);
    const lines = [why(), ...(await this.takeFaults()), String(shown).slice(0, MOST_SHOWN)];
    throw new Error(`${this.browser.name} did not ${what}.\n${lines.join('\n')}`);
  }
}

function inWords({ role, name, text, css, within }: Query): string {
  const parts = [role, css, name && JSON.stringify(name), text && `with ${JSON.stringify(text)}`];
  const own = parts.filter(Boolean).join(' ');
  return within === undefined ? own : `${own} in ${inWords(within)}`;
}
