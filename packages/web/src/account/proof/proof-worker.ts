import '../../polyfills.ts';
import { solve, type ProofTask } from './solve.ts';

/** Solves the task that the page sends. */
addEventListener('message', ({ data }: MessageEvent<ProofTask>) => {
  postMessage(solve(data));
});
