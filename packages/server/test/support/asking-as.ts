import type { Cluster } from '@hearth/testing/instances/cluster';
import { z } from 'zod';

const MOST_RETRIES = 20;

const busySchema = z.object({
  data: z.object({ code: z.literal('busy'), retry_after: z.number() }),
});

/** An answer other than that the instance is too busy. */
interface Answered {
  readonly status: number;
  readonly json: unknown;
}

/**
 * Sends requests of people, whose tokens these are, through both processes of an instance in turn, and again as clients do: a
 * machine that is busy may take longer than the database is given, or the queue of a place, which says how long to wait.
 */
export function askingAs(cluster: Cluster, tokens: readonly string[]) {
  return async (person: number, method: string, path: string, body?: object): Promise<Answered> => {
    const at = cluster.at({ rest: person % 2 }).addresses.rest + path;
    const headers = { Authorization: `Bearer ${tokens[person] ?? ''}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    for (let count = 0; ; count += 1) {
      const answer = await fetch(at, { method, headers, ...sent });
      const { status } = answer;
      const json: unknown = await answer.json();
      if (![429, 500].includes(status) || count === MOST_RETRIES) return { status, json };
      if (status === 429) await Bun.sleep(busySchema.parse(json).data.retry_after);
    }
  };
}
