import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { stopOnSignal } from './stop-on-signal.ts';

/** A process and a clock to play with; `log` is what happened to the process. */
function play() {
  const signals = new EventEmitter();
  const log: string[] = [];
  const timers: { readonly action: () => void; readonly atMs: number }[] = [];
  let nowMs = 5000;
  const stop = stopOnSignal({
    signals,
    now: () => nowMs,
    schedule: (action, delayMs) => timers.push({ action, atMs: nowMs + delayMs }),
    exit: (code) => log.push(`exit ${code}`),
    warn: (text) => log.push(text),
  });
  stop.addEventListener('abort', () => log.push('stop'));
  const after = (delayMs: number, signal?: 'SIGINT' | 'SIGTERM') => {
    nowMs += delayMs;
    for (const { action, atMs } of timers) if (atMs === nowMs) action();
    if (signal !== undefined) signals.emit(signal);
  };
  return { log, stop, after };
}

test.each(['SIGINT', 'SIGTERM'] as const)('the first %s asks for a stop', (signal) => {
  const { log, stop, after } = play();
  expect(stop.aborted).toBe(false);
  after(60_000, signal);
  expect(log).toEqual(['stop']);
  expect(stop.aborted).toBe(true);
});

test('signals within a second of the first are the same signal', () => {
  const { log, after } = play();
  after(0, 'SIGINT');
  after(0, 'SIGINT');
  after(1, 'SIGTERM');
  after(998, 'SIGINT');
  expect(log).toEqual(['stop']);
});

test('a signal a second after the first ends the process at once', () => {
  const { log, after } = play();
  after(0, 'SIGTERM');
  after(999, 'SIGTERM');
  after(1, 'SIGINT');
  expect(log).toEqual(['stop', 'exit 1']);
});

test('a stop that takes ten seconds is given up', () => {
  const { log, after } = play();
  after(0, 'SIGTERM');
  after(9999);
  expect(log).toEqual(['stop']);
  after(1);
  expect(log).toEqual(['stop', 'hearth: not stopped after 10 s, giving up\n', 'exit 1']);
});

test('nothing is timed before a signal', () => {
  const { log, after } = play();
  after(10_000);
  after(10_000, 'SIGINT');
  expect(log).toEqual(['stop']);
});
