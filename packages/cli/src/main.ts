import { enlargeThreadPool, writeWhole } from '@hearth/server';
import { outputTo } from './output.ts';
import { run } from './run.ts';
import { hasTerminal, stopOnSignal } from './stop-on-signal.ts';
import { factsOf, stopWithRunner } from './stop-with-runner.ts';

const STDOUT = 1;
const STDERR = 2;

// There is no top-level await, because a module with one is not compiled to bytecode.
void main();

async function main(): Promise<never> {
  // Before anything makes a thread.
  enlargeThreadPool(process.env['UV_THREADPOOL_SIZE']);
  const output = outputTo((text) => writeWhole(STDOUT, text));
  const { write: warn } = outputTo((text) => writeWhole(STDERR, text));
  const exitCode = await run(process.argv.slice(2), {
    env: process.env,
    workingDir: process.cwd(),
    print: output.write,
    warn,
    streams: process,
    listenForStop: () => listenForStop(warn),
  });
  const failure = output.failure();
  if (failure !== undefined) warn(`hearth: cannot write the output: ${failure.message}\n`);
  process.exit(failure === undefined ? exitCode : exitCode || 1);
}

function listenForStop(warn: (text: string) => void): AbortSignal {
  const stop = stopOnSignal({
    signals: process,
    now: () => performance.now(),
    schedule: (action, delayMs) => {
      setTimeout(action, delayMs).unref();
    },
    hasTerminal,
    exit: (code) => process.exit(code),
    warn,
  });
  stopWithRunner({
    env: process.env,
    factsOf,
    ownPid: process.pid,
    every: (periodMs, action) => {
      setInterval(action, periodMs).unref();
    },
    signals: process,
    onGone: stop.request,
  });
  return stop.signal;
}
