import { expect, test } from 'bun:test';
import { OtherStreams, type AccountOpening, type StreamsListener } from './other-streams.ts';

const PLACES = new Map([['c:100', { epoch: 'e', s: 7 }]]);

const opening: AccountOpening = {
  profile: 2,
  places: new Map([['c:100', { epoch: 'e', s: 1 }]]),
  user: undefined,
  session: undefined,
  ready: { streams: {} },
  lost: [],
};

function recorded() {
  const seen: string[] = [];
  const listener: StreamsListener = {
    opened: ({ ready, lost, places }) =>
      void seen.push(`${ready ? 'READY' : 'RESUMED'} ${lost.join()} ${places.get('c:100')?.s}`),
    event: ({ s }) => void seen.push(`event ${s}`),
    streamOpened: (stream) => void seen.push(`opened ${stream}`),
    streamClosed: (stream) => void seen.push(`closed ${stream}`),
    limited: () => void seen.push('limited'),
    left: () => void seen.push('left'),
    forgotten: () => void seen.push('forgotten'),
  };
  return { seen, listener };
}

const event = (s: number) => ({ op: 'unknown', t: 'c:100', s, raw: {} }) as const;

test('[SK35] who listens later gets everything since the last READY, in order', () => {
  const streams = new OtherStreams(() => PLACES);
  streams.event(event(0));
  streams.opened(opening);
  streams.event(event(1));
  streams.opened(opening);
  streams.streamOpened('r:110', { epoch: 'e', s: 1 });
  streams.event(event(2));
  streams.left();
  streams.opened({ ...opening, ready: undefined, lost: ['r:110'] });
  streams.streamClosed('r:110');
  const { seen, listener } = recorded();
  streams.attach(listener);
  streams.event(event(3));
  streams.limited(1);
  expect(seen).toEqual([
    'READY  1',
    'opened r:110',
    'event 2',
    'left',
    'RESUMED r:110 1',
    'closed r:110',
    'event 3',
    'limited',
  ]);
});

test('[SK35] if that is too much, all streams count as lost, from the places that were reached', () => {
  const streams = new OtherStreams(() => PLACES);
  streams.opened(opening);
  for (let s = 2; s < 2_000; s += 1) streams.event(event(s));
  const { seen, listener } = recorded();
  streams.attach(listener);
  expect(seen).toEqual(['READY  1', 'RESUMED c:100 7']);
});

test('[SK35] nothing is kept of somebody who is signed out', () => {
  const streams = new OtherStreams(() => PLACES);
  streams.opened(opening);
  streams.event(event(2));
  streams.forgotten();
  streams.event(event(3));
  const { seen, listener } = recorded();
  streams.attach(listener);
  expect(seen).toEqual([]);
});
