import { useState } from 'preact/hooks';
import type { Proof } from '@hearth/protocol';
import { receivedCapabilities } from '@hearth/protocol/received';
import { memoryTokens } from '@hearth/sdk';
import { useClients } from '../../connection/use-clients.ts';
import { solveInWorker } from './solve-in-worker.ts';

/** Does the work that the instance may ask for before it registers an account. */
export interface Proving {
  readonly isProving: boolean;
  /** Returns the proof, or undefined if the instance asks for none. */
  readonly prove: () => Promise<Proof | undefined>;
}

/** Asks the instance for its task, which is another one each time, and solves it. */
export function useProof(): Proving {
  const { another } = useClients();
  const [isProving, setIsProving] = useState(false);
  const prove = async () => {
    await using client = another(memoryTokens());
    const { proof: task } = await client.rest.request({
      method: 'GET',
      path: '/capabilities',
      limit: 'read',
      answers: receivedCapabilities,
    });
    if (task === undefined) return undefined;
    setIsProving(true);
    try {
      const nonce = await solveInWorker(task);
      return { challenge: task.challenge, nonce };
    } finally {
      setIsProving(false);
    }
  };
  return { isProving, prove };
}
