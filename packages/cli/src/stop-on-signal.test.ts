import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { stopOnSignal } from './stop-on-signal.ts';

/** A simulated process with a clock; `log` records what happens to the process. */
function play({ hasTerminal = true } = {}) {
  const signals = new EventEmitter();
  const log: string[] = [];
  const timers: { readonly action: () => void; readonly atMs: number }[] = [];
  let nowMs = 5000;
  const { signal: stop, request } = stopOnSignal({
    signals,
    now: () => nowMs,
    schedule: (action, delayMs) => timers.push({ action, atMs: nowMs + delayMs }),
    hasTerminal: () => hasTerminal,
    exit: (code) => log.push(`exit ${code}`),
    warn: (text) => log.push(text),
  });
  stop.addEventListener('abort', () => log.push(`stop: ${stop.reason}`));
  const after = (delayMs: number, signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
    nowMs += delayMs;
    for (const { action, atMs } of timers) if (atMs === nowMs) action();
    if (signal !== undefined) signals.emit(signal);
  };
  return { log, stop, request, after };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('the first %s requests a stop', (signal) => {
  const { log, stop, after } = play();
  expect(stop.aborted).toBe(false);
  after(60_000, signal);
  expect(log).toEqual([`stop: ${signal}`]);
  expect(stop.aborted).toBe(true);
});

test('signals within a second of the first are the same signal', () => {
  const { log, after } = play();
  after(0, 'SIGINT');
  after(0, 'SIGINT');
  after(1, 'SIGTERM');
  after(998, 'SIGINT');
  expect(log).toEqual(['stop: SIGINT']);
});

test('a signal a second after the first ends the process at once', () => {
  const { log, after } = play();
  after(0, 'SIGTERM');
  after(999, 'SIGTERM');
  after(1, 'SIGINT');
  expect(log).toEqual(['stop: SIGTERM', 'hearth: SIGINT while stopping, giving up\n', 'exit 1']);
});

test('a stop that takes ten seconds ends the process with exit code 1', () => {
  const { log, after } = play();
  after(0, 'SIGTERM');
  after(9999);
  expect(log).toEqual(['stop: SIGTERM']);
  after(1);
  expect(log).toEqual(['stop: SIGTERM', 'hearth: not stopped after 10 s, giving up\n', 'exit 1']);
});

test('the ten seconds begin with the signal', () => {
  const { log, after } = play();
  after(10_000);
  after(10_000, 'SIGINT');
  expect(log).toEqual(['stop: SIGINT']);
});

test('[OP40] a SIGHUP to a process without a terminal is ignored', () => {
  const { log, after } = play({ hasTerminal: false });
  after(0, 'SIGHUP');
  after(5000, 'SIGHUP');
  expect(log).toEqual([]);
});

test('[OP42] a stop that is requested without a signal has its own reason and the same ten seconds', () => {
  const { log, request, after } = play();
  request('npx has ended');
  after(500, 'SIGTERM');
  expect(log).toEqual(['stop: npx has ended']);
  after(9500);
  expect(log.at(-1)).toBe('exit 1');
});
