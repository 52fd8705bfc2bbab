import { outputTo } from './output.ts';
import { run } from './run.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { parentOf, stopWithRunner } from './stop-with-runner.ts';

const output = outputTo(process.stdout);
const faults = outputTo(process.stderr);
const warn = faults.write;

const exitCode = await run(process.argv.slice(2), {
  env: process.env,
  workingDir: process.cwd(),
  print: output.write,
  warn,
  listenForStop: () => {
    const stop = stopOnSignal({
      signals: process,
      now: () => performance.now(),
      schedule: (action, delayMs) => {
        setTimeout(action, delayMs).unref();
      },
      exit: (code) => process.exit(code),
      warn,
    });
    stopWithRunner({
      env: process.env,
      parentOf,
      ownPid: process.pid,
      every: (periodMs, action) => {
        setInterval(action, periodMs).unref();
      },
      onGone: () => {
        if (!stop.aborted) process.kill(process.pid, 'SIGTERM');
      },
    });
    return stop;
  },
});

const failure = await output.flush();
if (failure !== undefined) warn(`hearth: cannot write the output: ${failure.message}\n`);
await faults.flush();
process.exit(failure === undefined ? exitCode : exitCode || 1);
