import { describe, expect, test } from 'bun:test';
import { BEGUN_IN_A_TURN, RequestTurns } from './request-turns.ts';

/** Requests whose turns the test ends. */
function turns() {
  const begun: string[] = [];
  let ends: (() => void)[] = [];
  const requests = new RequestTurns((end) => ends.push(end));
  return {
    /** The addresses of requests that have begun since the last call. */
    begun: () => begun.splice(0),
    comes: (url: string, times = 1): void => {
      for (let time = 0; time < times; time += 1) {
        const turn = requests.wait({ url });
        if (turn === undefined) begun.push(url);
        else void turn.then(() => begun.push(url));
      }
    },
    ends: async (): Promise<void> => {
      const ended = ends;
      ends = [];
      for (const end of ended) end();
      await Promise.resolve();
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
    comes('/busy', 10 * BEGUN_IN_A_TURN);
    begun();
    await ends();
    begun();
    for (let turn = 0; turn < 3; turn += 1) {
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
});
