import { trustedScript } from '../../lib/trusted-script.ts';
import type { ProofTask } from './solve.ts';

/** Built from `proof-worker.ts`; next to the page. */
const SCRIPT = 'proof.js';

/** Solves a task without holding up the page. Rejects if the worker cannot be loaded. */
export async function solveInWorker({ challenge, bits }: ProofTask): Promise<string> {
  const worker = new Worker(trustedScript(new URL(SCRIPT, document.baseURI).href));
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
        resolve(String(data)),
      );
      worker.addEventListener('error', () => reject(new Error('the worker failed')));
      worker.postMessage({ challenge, bits });
    });
  } finally {
    worker.terminate();
  }
}
