import type { CDPSession, Locator, Page } from 'playwright-core';
import type { Someone } from './someone.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** So many moves make a gesture. */
const STEPS = 8;

/** A finger on a page, as the browser's own events of touching. */
export class Finger {
  readonly #session: CDPSession;
  readonly #page: Page;

  private constructor(session: CDPSession, page: Page) {
    this.#session = session;
    this.#page = page;
  }

  static async of({ visit, page }: Someone): Promise<Finger> {
    return new Finger(await visit.context.newCDPSession(page), page);
  }

  /** Goes quickly from one point to another. */
  async swipe(from: Point, to: Point): Promise<void> {
    await this.#touch('touchStart', from);
    await this.#moveTo(from, to);
    await this.#touch('touchEnd');
  }

  /** Stays on something until `until` resolves. */
  async press(target: Locator, until: () => Promise<void>): Promise<void> {
    await this.#touch('touchStart', await middleOf(target));
    await until();
    await this.#touch('touchEnd');
  }

  /** Takes something to the middle of something else, or as far beyond. */
  async drag(target: Locator, to: Locator): Promise<void> {
    const from = await middleOf(target);
    await this.#touch('touchStart', from);
    await this.#moveTo(from, { x: from.x, y: (await middleOf(to)).y });
    await this.#touch('touchEnd');
  }

  async #moveTo(from: Point, to: Point): Promise<void> {
    for (let step = 1; step <= STEPS; step += 1) {
      const part = step / STEPS;
      const at = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      await this.#touch('touchMove', at);
      // What moves is drawn before the next move.
      await this.#page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }

  async #touch(type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point): Promise<void> {
    const touchPoints = at === undefined ? [] : [at];
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
}

/** Drags something with the mouse to the middle of something else. */
export async function dragByMouse(page: Page, target: Locator, to: Locator): Promise<void> {
  const from = await middleOf(target);
  const end = await middleOf(to);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, end.y, { steps: STEPS });
  await page.mouse.up();
}

async function middleOf(target: Locator): Promise<Point> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
