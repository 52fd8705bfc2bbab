import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import { NotFoundError } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import type { ServiceContext } from '../../context.ts';
import type { KeptPageFiles, PageBuild } from '../../features/platform/page-files/page-files.ts';
import { answerError } from '../../http/answer-error.ts';
import type { Answer } from '../../http/caller.ts';
import { rawPath } from '../../http/path.ts';
import { fileAnswer } from './answers.ts';
import { ASSETS, contentTypeOf, etagOf, type Site, type SiteFile } from './site.ts';
import type { ViewAt } from './view.ts';

/** Files of other builds that are kept in memory. A page has about thirty. */
const MOST_FILES = 64;

/** The store of the files of other builds of the page. */
export type FindKept = Pick<KeptPageFiles, 'find'>;

/** The files of a site that pages may ask for after an update, packed. */
export async function packedBuild({ files }: Site): Promise<PageBuild> {
  const assets = Array.from(files).filter(([path]) => path.startsWith(ASSETS));
  const packed = await Promise.all(assets.map(async ([path, file]) => [path, await pack(file)]));
  const sorted = packed.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return {
    build: etagOf(Buffer.from(sorted.map(([path]) => path).join('\n'))).slice(1, -1),
    files: sorted.map(([path = '', content = '']) => ({ path, content })),
  };
}

async function pack({ plain, encoded }: SiteFile): Promise<string> {
  const known = encoded.find(({ encoding }) => encoding === 'br');
  const bytes =
    known === undefined
      ? await promisify(brotliCompress)(await plain.body.bytes())
      : await known.body.bytes();
  return bytes.toBase64();
}

/** Answers with a file of another build of the page. */
export function keptAnswer(ctx: ServiceContext, kept: FindKept, viewAt: ViewAt): Answer {
  const answers = new LRUCache<string, Answer>({ max: MOST_FILES });
  return async (request, caller) => {
    try {
      const path = rawPath(request.url);
      let answer = answers.get(path);
      if (answer === undefined) {
        const content = await kept.find(path);
        if (content === undefined) throw new NotFoundError();
        answer = fileAnswer(await unpack(path, content), viewAt);
        answers.set(path, answer);
      }
      return await answer(request, caller);
    } catch (error) {
      return await answerError(ctx, error, { request, caller });
    }
  };
}

async function unpack(path: string, content: string): Promise<SiteFile> {
  const packed = Uint8Array.fromBase64(content);
  const plain = new Uint8Array(await promisify(brotliDecompress)(packed));
  return {
    contentType: contentTypeOf(path),
    isImmutable: true,
    plain: { body: new Blob([plain]), etag: etagOf(plain) },
    encoded: [{ body: new Blob([packed]), etag: etagOf(packed), encoding: 'br' }],
  };
}
