import { seededMessage, storedSeededMessage } from '@hearth/testing/instances/seeded-communities';
import { join } from 'node:path';
import type { Benchmark, Goal, Row } from '../benchmark.ts';
import { takeTurn, type Load, type Sample } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import { median } from '../statistics.ts';
import { hearthWith } from '../subjects/hearth.ts';
import { copySeeded, seeded, SEEDS } from '../subjects/seeds.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { bunYardstick } from '../subjects/yardstick.ts';

const FEW_MESSAGES = 2_000;
const CONNECTIONS = 4;
const MICROSECONDS_A_SECOND = 1e6;
const GOAL: Goal = { most: 3 };

interface Lane {
  readonly subject: string;
  readonly running: RunningSubject;
  readonly load: Load;
  readonly samples: Sample[];
}

/** Pages of a long channel, compared with the rows of a page by their primary key. */
export const CHANNEL_PAGE: Benchmark = {
  name: 'channel-page',
  about: 'pages of a channel with 1,000,000 messages, against the rows by their primary key',
  async *run(settings) {
    const messages = settings.isShort ? FEW_MESSAGES : SEEDS.messages.messages;
    const data = await seeded({ ...SEEDS.messages, messages });
    const [community] = data.communities;
    const [token = ''] = data.tokens;
    if (community === undefined) throw new Error('nothing was seeded');
    await using resources = new AsyncDisposableStack();
    const ours = hearthWith((folder) => copySeeded(data, folder));
    const hearth = resources.use(await ours.start());
    const file = join(data.data, 'hearth.sqlite');
    const bare = bunYardstick('the rows by their primary key', 'page.ts', file, community.channel);
    const yardstick = resources.use(await bare.start());
    const middle = seededMessage(Math.floor(messages / 2));
    const laneOf = (subject: string, running: RunningSubject, path: string): Lane => {
      const headers = { authorization: `Bearer ${token}` };
      const request = { method: 'GET', port: running.ports.rest, path, headers } as const;
      return {
        subject,
        running,
        load: resources.use(new HttpLoad(request, CONNECTIONS)),
        samples: [],
      };
    };
    const ofOurs = (what: string, query: string) =>
      laneOf(what, hearth, `/channels/${community.channel}/messages?limit=50${query}`);
    const page = laneOf(
      bare.name,
      yardstick,
      `/?before=${storedSeededMessage(Math.floor(messages / 2))}`,
    );
    const lanes = [
      page,
      ofOurs('hearth: the newest', ''),
      ofOurs('hearth: before one in the middle', `&before=${middle}`),
      ofOurs('hearth: after one in the middle', `&after=${middle}`),
      ofOurs('hearth: around one in the middle', `&around=${middle}`),
    ];
    for (const { load } of lanes) {
      await load.prepare();
      await load.run(settings.warmUpMs);
    }
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const lane of lanes) lane.samples.push(await takeTurn(lane, settings.sliceMs));
    }
    const work = `50 of ${messages.toLocaleString('en')} messages of a channel`;
    for (const lane of lanes) yield rowOf(work, lane, page);
  },
};

function rowOf(work: string, { subject, samples }: Lane, page: Lane): Row {
  const ratios = samples.map((sample, at) => cpuOf(sample) / cpuOf(page.samples[at]));
  return {
    work,
    subject,
    value: median(samples.map(({ operations, seconds }) => operations / seconds)),
    unit: 'requests/s',
    cpuMicroseconds: median(samples.map(cpuOf)),
    ...(samples === page.samples ? {} : { ratio: median(ratios), goal: GOAL }),
  };
}

function cpuOf(sample: Sample | undefined): number {
  if (sample === undefined) throw new RangeError('a turn is missing');
  return (sample.serverSeconds / sample.operations) * MICROSECONDS_A_SECOND;
}
