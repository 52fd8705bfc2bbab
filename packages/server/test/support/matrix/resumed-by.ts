import {
  channelStream,
  communityStream,
  moderatorStream,
  type Id,
  type StreamEvent,
} from '@hearth/protocol';
import { AccountClient, type Places } from '@hearth/testing/clients/account-client';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { CALLERS, type Caller, type Cast, type Place } from './cast.ts';

/** Ids that nothing has. */
const ABSENT = ['997', '998', '999'] as const;

/** The things that clients need who guess the names and places of streams. */
export interface Guessing {
  readonly gateway: Pick<TestInstance, 'addresses'>;
  readonly cast: Cast;
  readonly place: Place;
  readonly publish: (publication: {
    readonly stream: string;
    readonly event: StreamEvent;
  }) => void | Promise<unknown>;
}

/** The payloads that a client was sent, and the queries for them. */
interface Answered {
  readonly payloads: readonly string[];
  readonly queries: readonly string[];
}

/**
 * Resolves with what each caller is sent who resumes streams that they do not follow, by their right names and at
 * places that these really have, and who resumes streams that do not exist. Events were published there since. Names of
 * streams are the same in both.
 */
export async function resumedBy(
  { gateway, cast, place, publish }: Guessing,
  takeQueries: () => readonly string[],
): Promise<Readonly<Record<string, readonly [hidden: Answered, absent: Answered]>>> {
  const { community, secret } = place;
  const streams = [communityStream(community), channelStream(secret), moderatorStream(community)];
  using owner = await AccountClient.enter(gateway, { token: cast.tokens.owner });
  const places = owner.places;
  for (const stream of streams) {
    const d = { id: '996' as Id, community_id: community };
    await publish({ stream, event: { op: 'CHANNEL_DELETE', d } });
  }
  await owner.ping();
  const resume = async (caller: Caller, given: (known: Places, stream: string) => Places) => {
    const token = cast.tokens[caller];
    const own = await AccountClient.enter(gateway, token === '' ? {} : { token });
    const known = own.places;
    own[Symbol.dispose]();
    const hidden = streams.filter((stream) => !(stream in known));
    const asked = hidden.map((stream) => given(places, stream));
    takeQueries();
    const named = Object.assign({}, known, ...asked);
    using client = await AccountClient.enter(gateway, {
      ...(token !== '' && { token }),
      resume: named,
    });
    await client.ping();
    const payloads = client.payloads.map((payload) => {
      const text = JSON.stringify(payload);
      return hidden.reduce(
        (said, stream, index) =>
          said
            .replaceAll(stream, `hidden ${index}`)
            .replaceAll(absentOf(stream), `hidden ${index}`),
        text,
      );
    });
    return { payloads, queries: takeQueries().toSorted() };
  };
  const answers: Record<string, readonly [Answered, Answered]> = {};
  for (const caller of CALLERS) {
    answers[caller] = [
      await resume(caller, (known, stream) => ({ [stream]: known[stream] ?? ['', 0] })),
      await resume(caller, (known, stream) => ({ [absentOf(stream)]: known[stream] ?? ['', 0] })),
    ];
  }
  return answers;
}

/** The name of a stream of the same kind that does not exist. */
function absentOf(stream: string): string {
  return `${stream.slice(0, 2)}${ABSENT['crm'.indexOf(stream.charAt(0))]}`;
}
