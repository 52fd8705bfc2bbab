import { fakeClock } from '@hearth/testing/fake-clock';
import { expect, test } from 'bun:test';
import { Transfers, type TransferRuntime } from './transfers.ts';

const ADA = '192.0.2.1';
const BOB = '192.0.2.2';

const MINUTE_MS = 60_000;

/** Transfers of a service. A request ends when it is removed from `running`. */
function setUp(perClient = 2) {
  const clock = fakeClock();
  const running = new Set<Request>();
  const pauses: [Request, number][] = [];
  const service = { isCrowded: false };
  const transfers = new Transfers({ clock, perClient, isCrowded: () => service.isCrowded });
  const runtime: TransferRuntime = {
    isRunning: (request) => running.has(request),
    allowPause: (request, seconds) => pauses.push([request, seconds]),
  };
  /** The request of a transfer, or undefined if it may not begin. */
  const begin = (client: string, sizeBytes?: number) => {
    const request = new Request('http://localhost/1');
    running.add(request);
    return transfers.begin({ client, request, sizeBytes, runtime }) ? request : undefined;
  };
  const end = (request: Request | undefined) => request !== undefined && running.delete(request);
  return { begin, end, transfers, clock, pauses, service };
}

test('[FS27] a client may have this many transfers at once, downloads and uploads, whatever others have', () => {
  const { begin } = setUp();
  expect([begin(ADA, 1_000), begin(ADA)]).not.toContain(undefined);
  expect([begin(ADA, 1_000), begin(ADA)]).toEqual([undefined, undefined]);
  expect([begin(BOB, 1_000), begin(BOB, 1_000)]).not.toContain(undefined);
});

test('[FS27] a transfer that has ended makes room at once', () => {
  const { begin, end } = setUp();
  const [first] = [begin(ADA, 1_000), begin(ADA, 1_000)];
  end(first);
  expect(begin(ADA, 1_000)).toBeDefined();
  expect(begin(ADA, 1_000)).toBeUndefined();
});

test('[FS28] a download is cut when it takes longer than ten minutes and its size at 1,000 bytes a second', () => {
  const { begin, clock, pauses } = setUp();
  const download = begin(ADA, 60_000);
  clock.advance(11 * MINUTE_MS);
  expect(pauses).toEqual([]);
  clock.advance(MINUTE_MS / 2);
  expect(pauses.map(([request, seconds]) => [request === download, seconds])[0]).toEqual([true, 1]);
});

test('[FS28] an upload and a download that has ended are not cut', () => {
  const { begin, end, clock, pauses, service } = setUp();
  begin(ADA);
  end(begin(ADA, 1_000));
  service.isCrowded = true;
  clock.advance(600 * MINUTE_MS);
  expect(pauses).toEqual([]);
});

test('[FS28] while the service is crowded, the pause of a download older than a minute is limited to 20 s, once', () => {
  const { begin, clock, pauses, service } = setUp();
  const old = begin(ADA, 10_000_000);
  clock.advance(2 * MINUTE_MS);
  expect(pauses).toEqual([]);
  begin(ADA, 10_000_000);
  service.isCrowded = true;
  clock.advance(MINUTE_MS / 2);
  expect(pauses.map(([request, seconds]) => [request === old, seconds])).toEqual([[true, 20]]);
});

test('nothing is kept of clients whose transfers have ended, and no timer runs for them', () => {
  const { begin, end, clock, pauses } = setUp(1);
  end(begin(ADA, 1));
  clock.advance(MINUTE_MS);
  const download = begin(ADA, 1);
  clock.advance(11 * MINUTE_MS);
  expect(pauses.map(([request, seconds]) => [request === download, seconds])[0]).toEqual([true, 1]);
});
