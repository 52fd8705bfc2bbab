import { describe, expect, test } from 'bun:test';
import {
  BEGUN_IN_A_TURN,
  MOST_UNDER_WAY,
  MOST_WAIT_MS,
  RequestTurns,
  UNDER_WAY_MS,
} from './request-turns.ts';

/** Requests whose turns the test ends, and which are answered as soon as they begin unless it answers them. */
function turns({ areAnswered = true } = {}) {
  const begun: string[] = [];
  let ends: (() => void)[] = [];
  let looks: (() => void)[] = [];
  let nowMs = 0;
  const requests = new RequestTurns({
    afterTurn: (end) => ends.push(end),
    later: (look) => looks.push(look),
    nowMs: () => nowMs,
  });
  const underWay: Disposable[] = [];
  const ended = async (): Promise<void> => {
    const all = ends;
    ends = [];
    for (const end of all) end();
    await Promise.resolve();
  };
  return {
    /** The addresses of requests that have begun since the last call. */
    begun: () => begun.splice(0),
    comes: (url: string, times = 1): void => {
      for (let time = 0; time < times; time += 1) {
        const waiting = requests.wait({ url });
        if (waiting === undefined) begun.push(url);
        else {
          void waiting.then((turn) => {
            begun.push(url);
            if (areAnswered) turn[Symbol.dispose]();
            else underWay.push(turn);
          });
        }
      }
    },
    ends: ended,
    /** Ends turns until one begins nothing. */
    goesOn: async (): Promise<void> => {
      for (let count = -1; count !== begun.length;) {
        count = begun.length;
        await ended();
      }
    },
    /** Answers the first requests that had waited. */
    answers: (times: number): void => {
      for (const turn of underWay.splice(0, times)) turn[Symbol.dispose]();
    },
    passes: (ms: number): void => {
      nowMs += ms;
      const all = looks;
      looks = [];
      for (const look of all) look();
    },
  };
}

const most = (url: string) => Array.from({ length: BEGUN_IN_A_TURN }, () => url);

describe('the turns of requests', () => {
  test('[SC41] a request that comes beside many others begins at once', async () => {
    const { begun, comes, ends } = turns();
    for (let turn = 0; turn < 10; turn += 1) {
      comes('/busy', BEGUN_IN_A_TURN - 1);
      comes('/quiet');
      expect(begun()).toHaveLength(BEGUN_IN_A_TURN);
      await ends();
      expect(begun()).toEqual([]);
    }
  });

  test('[SC41] requests for one address that come at once begin in several turns, in their order', async () => {
    const { begun, comes, ends } = turns();
    comes('/busy', 3 * BEGUN_IN_A_TURN);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(begun()).toEqual(most('/busy'));
      await ends();
    }
    expect(begun()).toEqual([]);
    comes('/busy', BEGUN_IN_A_TURN);
    expect(begun()).toEqual(most('/busy'));
  });

  test('[SC41] what comes for another address after a crowd begins at once, and the next in the next turn', async () => {
    const { begun, comes, ends } = turns();
    comes('/busy', 5 * BEGUN_IN_A_TURN);
    begun();
    await ends();
    begun();
    for (let turn = 0; turn < 2; turn += 1) {
      comes('/quiet');
      expect(begun()).toEqual(['/quiet']);
      comes('/quiet');
      expect(begun()).toEqual([]);
      await ends();
      expect(begun().toSorted()).toEqual([...most('/busy').slice(1), '/quiet']);
    }
  });

  test('[SC41] what comes for many addresses after a crowd begins in several turns', async () => {
    const { begun, comes, ends } = turns();
    comes('/busy', 10 * BEGUN_IN_A_TURN);
    begun();
    await ends();
    begun();
    for (let at = 0; at < 3 * BEGUN_IN_A_TURN; at += 1) comes(`/${at}`);
    expect(begun()).toHaveLength(BEGUN_IN_A_TURN);
    await ends();
    expect(begun()).toHaveLength(BEGUN_IN_A_TURN);
  });

  test('[SC41] what waits begins although others come in every turn', async () => {
    const { begun, comes, ends } = turns();
    comes('/busy', BEGUN_IN_A_TURN + 5);
    begun();
    await ends();
    expect(begun()).toHaveLength(5);
    for (let turn = 0; turn < 5; turn += 1) {
      comes('/quiet', BEGUN_IN_A_TURN);
      comes('/busy');
      await ends();
      await ends();
      expect(begun().filter((url) => url === '/busy')).toEqual(['/busy']);
    }
  });

  test('[SC42] so many requests of a crowd are under way, and each answer lets another one begin', async () => {
    const { answers, begun, comes, goesOn } = turns({ areAnswered: false });
    comes('/busy', BEGUN_IN_A_TURN + 3 * MOST_UNDER_WAY);
    await goesOn();
    expect(begun()).toHaveLength(BEGUN_IN_A_TURN + MOST_UNDER_WAY);
    comes('/busy');
    comes('/quiet');
    await goesOn();
    expect(begun()).toEqual(['/quiet']);
    for (const count of [1, 3, MOST_UNDER_WAY]) {
      answers(count);
      await goesOn();
      expect(begun()).toHaveLength(count);
    }
    answers(MOST_UNDER_WAY);
    await goesOn();
    expect(begun()).toHaveLength(MOST_UNDER_WAY - 3);
  });

  test('[SC42] a request that is not answered keeps no others waiting for long', async () => {
    const { begun, comes, goesOn, passes } = turns({ areAnswered: false });
    comes('/busy', BEGUN_IN_A_TURN + 2 * MOST_UNDER_WAY);
    await goesOn();
    begun();
    passes(UNDER_WAY_MS - 1);
    await goesOn();
    expect(begun()).toEqual([]);
    passes(1);
    await goesOn();
    expect(begun()).toHaveLength(MOST_UNDER_WAY);
  });

  test('[SC42] nobody waits for longer than a second because others are under way', async () => {
    const { begun, comes, goesOn, passes } = turns({ areAnswered: false });
    comes('/busy', 40 * MOST_UNDER_WAY);
    for (let passedMs = 0; passedMs < MOST_WAIT_MS - UNDER_WAY_MS; passedMs += UNDER_WAY_MS) {
      await goesOn();
      passes(UNDER_WAY_MS);
    }
    expect(begun().length).toBeLessThan(20 * MOST_UNDER_WAY);
    passes(UNDER_WAY_MS);
    await goesOn();
    expect(begun().length).toBeGreaterThan(20 * MOST_UNDER_WAY);
  });

  test('[SC42] an address with another query is the same place', async () => {
    const { begun, comes, goesOn } = turns({ areAnswered: false });
    for (let at = 0; at < 2 * BEGUN_IN_A_TURN + MOST_UNDER_WAY; at += 1) comes(`/busy?${at}`);
    await goesOn();
    expect(begun()).toHaveLength(BEGUN_IN_A_TURN + MOST_UNDER_WAY);
  });

  test('[SC42] when a crowd has been answered, requests begin at once again', async () => {
    const { answers, begun, comes, goesOn } = turns({ areAnswered: false });
    comes('/busy', 2 * BEGUN_IN_A_TURN);
    await goesOn();
    answers(BEGUN_IN_A_TURN);
    begun();
    comes('/busy', BEGUN_IN_A_TURN);
    expect(begun()).toEqual(most('/busy'));
  });
});
