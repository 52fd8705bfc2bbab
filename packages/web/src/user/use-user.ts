import { useEffect, useState } from 'preact/hooks';
import type { User } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import { useClients } from '../connection/use-clients.ts';
import type { Asked } from '../lib/asked.ts';

/** Somebody by their username; undefined if there is nobody. */
export function useUser(username: string): [Asked<User | undefined>, () => void] {
  const { client } = useClients();
  const [asked, setAsked] = useState<Asked<User | undefined>>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    setAsked({ state: 'loading' });
    client.userByName(username, ending).then(
      (value) => setAsked({ state: 'there', value }),
      (error: unknown) => {
        if (ending.signal.aborted) return;
        const isNobody = error instanceof NotFoundError;
        setAsked(isNobody ? { state: 'there', value: undefined } : { state: 'failed', error });
      },
    );
    return () => ending.abort();
  }, [client, username, attempt]);
  return [asked, () => setAttempt((before) => before + 1)];
}
