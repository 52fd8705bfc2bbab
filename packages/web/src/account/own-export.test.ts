import { NetworkError, RateLimitedError, UnauthorizedError, type AccountExport } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { OwnExport } from './own-export.ts';

const NONE: AccountExport = { state: 'none' };
const READY: AccountExport = {
  state: 'ready',
  requested_at: 1,
  expires_at: 2,
  size_bytes: 3,
  url: 'https://home.test/files/exports/k',
};
const working = (done: number): AccountExport => ({
  state: 'working',
  requested_at: 1,
  done,
  total: 2,
});

/** An export of which the instance says one after the other, and what it asked for. */
function exportThat(...answers: (AccountExport | Error)[]) {
  const asked: string[] = [];
  const timers: { readonly delayMs: number; readonly callback: () => void }[] = [];
  const ask = (what: string) => async () => {
    asked.push(what);
    const answer = answers.shift() ?? NONE;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const own = new OwnExport(
    { findExport: ask('find'), requestExport: ask('request') },
    {
      now: () => 0,
      after(delayMs, callback) {
        const timer = { delayMs, callback };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
      },
    },
  );
  /** Lets the next timer run out, and returns how long it was. */
  const pass = async () => {
    const timer = timers.shift();
    timer?.callback();
    await Bun.sleep(0);
    return timer?.delayMs;
  };
  return { own, asked, timers, pass };
}

test('[WC119] an export is followed until it is ready', async () => {
  const { own, asked, timers, pass } = exportThat(NONE, working(0), working(1), READY);
  await own.load();
  expect([own.known.value, timers]).toEqual([NONE, []]);
  const requested = own.request();
  expect(own.isRequested.value).toBe(true);
  await requested;
  expect([own.isRequested.value, own.known.value]).toEqual([false, working(0)]);
  expect([await pass(), own.known.value]).toEqual([1000, working(1)]);
  expect([await pass(), own.known.value]).toEqual([1000, READY]);
  expect([asked, timers]).toEqual([['find', 'request', 'find', 'find'], []]);
});

test('[WC119] a lost connection is waited for, and other errors end it', async () => {
  const lost = new NetworkError('lost');
  const ended = new UnauthorizedError('ended', 'token_ended');
  const { own, timers, pass } = exportThat(working(0), lost, working(1), ended);
  await own.load();
  await pass();
  expect([own.problem.value, own.known.value]).toEqual([lost, working(0)]);
  expect(await pass()).toBe(5000);
  expect([own.problem.value, own.known.value]).toEqual([undefined, working(1)]);
  await pass();
  expect([own.problem.value, own.known.value, timers]).toEqual([ended, undefined, []]);
});

test('[WC119] an export that is refused leaves the former one', async () => {
  const refusal = new RateLimitedError('No', 60_000);
  const { own } = exportThat(READY, refusal);
  await own.load();
  await own.request();
  expect([own.problem.value, own.isRequested.value, own.known.value]).toEqual([
    refusal,
    false,
    READY,
  ]);
});

test('nothing is asked, and no answer counts, after the view is left', async () => {
  const { own, timers } = exportThat(working(0), READY);
  await own.load();
  own.leave();
  expect(timers).toEqual([]);
  const requested = own.request();
  own.leave();
  await requested;
  expect(own.known.value).toEqual(working(0));
});
