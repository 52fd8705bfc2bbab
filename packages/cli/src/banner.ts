import { ATTACHMENTS_BUCKET } from '@hearth/protocol';
import {
  HEARTH_VERSION,
  isEverywhere,
  type Config,
  type Instance,
  type WebClient,
} from '@hearth/server';
import { alignColumns, joinUrl } from './text.ts';

/** What a banner tells of. */
export interface Started {
  readonly addresses: Instance['addresses'];
  readonly web: WebClient;
  readonly deployment: Config['deployment'];
  readonly wroteInstanceFile: boolean;
}

/** What an owner wants to know of an instance that has just started. */
export function bannerText(started: Started): string {
  const { addresses, web, deployment, wroteInstanceFile } = started;
  const { rest, gateway, files } = addresses;
  const written = wroteInstanceFile ? ' (just written: give your instance a name there)' : '';
  const facts = alignColumns([
    ...webFact(web),
    ['REST service', rest],
    ['gateway', gateway],
    ['file service', files],
    ['instance file', `${deployment.instanceFile}${written}`],
    ['data', deployment.dataDir],
  ]);
  const message = `{"author":"ada","content":"Hello, hearth!"}`;
  const trials = alignColumns([
    ['listen', `npx --yes wscat -c ${gateway}`],
    ['post a message', `curl -d '${message}' ${joinUrl(rest, 'messages')}`],
    ['upload a file', `curl -F file=@photo.png ${joinUrl(files, ATTACHMENTS_BUCKET)}`],
  ]);
  const blocks = [
    `Hearth ${HEARTH_VERSION} is running. Ctrl-C stops it.`,
    indented(facts),
    `Try next, in other terminals:\n${indented(trials)}`,
    ...hints(started),
  ];
  return `\n${blocks.join('\n\n')}\n\n`;
}

const LOOPBACK_HINT =
  'Only this machine can reach it. To let others in, start it with HOST=0.0.0.0, or put a proxy before it.';

const EVERYWHERE_HINT =
  "Other machines open the web client under this machine's own name or address, at the same port.\n" +
  'Once there is one name for everybody, set the urls in the instance file: shared files carry them.';

function webFact(web: WebClient): readonly (readonly string[])[] {
  switch (web.state) {
    case 'served':
      return [['web client', `${web.url}   ← open this in a browser`]];
    case 'missing':
      return [['web client', `not served: ${web.reason}`]];
    case 'off':
      return [];
  }
}

function hints({ web, deployment }: Started): readonly string[] {
  if (isLoopback(deployment.host)) return [LOOPBACK_HINT];
  return web.state === 'served' && isEverywhere(deployment.host) ? [EVERYWHERE_HINT] : [];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host);
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
