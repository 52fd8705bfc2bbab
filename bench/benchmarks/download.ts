import { randomBytes } from 'node:crypto';
import type { Benchmark, Goal, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import { upload } from '../load/uploaded-file.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { nginx } from '../subjects/nginx.ts';

const NAME = 'picture.bin';
const BYTES_A_MEGABYTE = 1_000_000;

/** A small file that everyone requests, such as a picture that was just posted. */
export const DOWNLOAD: Benchmark = {
  name: 'download',
  about: 'GET of a file of 20 KB that is asked for all the time, 32 connections',
  run: (settings) => downloads(settings, { bytes: 20_000, connections: 32, goal: { least: 0.7 } }),
};

/** A large file. */
export const DOWNLOAD_LARGE: Benchmark = {
  name: 'download-large',
  about: 'GET of a file of 100 MB, 2 connections',
  run: (settings) =>
    downloads(settings, {
      bytes: settings.isShort ? BYTES_A_MEGABYTE : 100 * BYTES_A_MEGABYTE,
      connections: 2,
      goal: { least: 0.9 },
    }),
};

function downloads(
  settings: Settings,
  file: { readonly bytes: number; readonly connections: number; readonly goal: Goal },
) {
  const content = randomBytes(file.bytes);
  const size =
    file.bytes < BYTES_A_MEGABYTE ? `${file.bytes / 1_000} KB` : `${file.bytes / 1e6} MB`;
  return compare(
    {
      work: `download of ${size}`,
      operation: 'files',
      measure: 'rate',
      ours: HEARTH,
      yardsticks: [nginx({ [NAME]: content })],
      goal: file.goal,
      async load({ ports }, { name }) {
        const path = name === HEARTH.name ? await upload(ports.files, content) : `/${NAME}`;
        return new HttpLoad(
          { method: 'GET', port: ports.files, path, answer: content },
          file.connections,
        );
      },
    },
    settings,
  );
}
