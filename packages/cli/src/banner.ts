import { ATTACHMENTS_BUCKET, inviteLink, joinUrl } from '@hearth/protocol';
import {
  HEARTH_VERSION,
  isEverywhere,
  type Config,
  type Instance,
  type WebClient,
} from '@hearth/server';
import { chosenText, WHO_COMES_IN, WHO_USES_LOBBY } from './doors.ts';
import { alignColumns } from './text.ts';

/** Facts that a banner shows. */
export interface Started {
  readonly addresses: Instance['addresses'];
  readonly web: WebClient;
  /** The code of the invite that makes the owner's account, as long as there is none. */
  readonly ownerInvite?: string | undefined;
  /** The address at which everyone opens the web client, if that is configured. */
  readonly publicUrl: string | undefined;
  /** The address at which the local network opens it, if it can. */
  readonly networkUrl: string | undefined;
  /** The QR code of the best address, if it is shown. */
  readonly qrCode?: string | undefined;
  readonly deployment: Config['deployment'];
  readonly settings: Pick<
    Config['settings'],
    'registration' | 'communityInvitesRegister' | 'lobby'
  >;
  readonly wroteInstanceFile: boolean;
}

/** Returns what an instance that has just started prints for its owner. */
export function bannerText(started: Started): string {
  const facts = alignColumns(factsOf(started));
  const trials = alignColumns(trialsOf(started));
  const blocks = [
    `Hearth ${HEARTH_VERSION} is running. Ctrl-C stops it.`,
    indented(facts),
    ...ownerHint(started),
    ...(trials.length === 0 ? [] : [`Try next, in other terminals:\n${indented(trials)}`]),
    ...hints(started),
    ...(started.qrCode === undefined ? [] : [started.qrCode]),
  ];
  return `\n${blocks.join('\n\n')}\n\n`;
}

function ownerHint({ ownerInvite: code, web, publicUrl }: Started): readonly string[] {
  if (code === undefined) return [];
  const webUrl = web.state === 'served' ? (publicUrl ?? web.url) : elsewhere(web, publicUrl);
  const how =
    webUrl === undefined
      ? `Register with this invite code, which works once:\n  ${code}`
      : `Open this link, which works once:\n  ${inviteLink(webUrl, code)}`;
  return [
    `Nobody has the owner's account yet, which may do everything here. ${how}\nOr run this on this machine: hearth users create <name> --owner`,
  ];
}

/** Returns where another process serves the web client, if one does. */
function elsewhere({ state }: WebClient, publicUrl: string | undefined): string | undefined {
  return state === 'off' ? publicUrl : undefined;
}

type Row = readonly string[];

/** The address that is most useful to others, if there is one. */
export function sharedAddress({
  web,
  publicUrl,
  networkUrl,
}: Pick<Started, 'web' | 'publicUrl' | 'networkUrl'>): string | undefined {
  return web.state === 'served' ? (publicUrl ?? networkUrl) : undefined;
}

function factsOf(started: Started): readonly Row[] {
  const { deployment, wroteInstanceFile } = started;
  const { instanceFile } = deployment;
  const written = wroteInstanceFile ? ' (just written: give your instance a name there)' : '';
  return [
    ...webFacts(started),
    ['instance file', `${instanceFile}${written}`],
    ...dataFacts(deployment),
    ...doorFacts(started.settings),
  ];
}

/** The answers to the questions of the first start, as they are now. */
function doorFacts({
  registration,
  communityInvitesRegister,
  lobby,
}: Started['settings']): readonly Row[] {
  const settings = { registration, community_invites_register: communityInvitesRegister, lobby };
  const [comers, talkers] = [WHO_COMES_IN, WHO_USES_LOBBY].map((question) =>
    chosenText(question, settings),
  );
  return [
    ['who comes in', comers ?? registration],
    ['lobby', talkers ?? lobby],
  ];
}

function dataFacts({ components, dataDir, engines }: Started['deployment']): readonly Row[] {
  const { databaseUrl, redisUrl, blobs } = engines;
  if (components.every((name) => name === 'web') && databaseUrl === undefined) {
    return [['feeds', 'not served, like the sitemap: set DATABASE_URL and REDIS_URL']];
  }
  const hasFiles = components.includes('files');
  const isEmbedded = databaseUrl === undefined || (hasFiles && blobs === undefined);
  return [
    ...(isEmbedded ? [['data', dataDir]] : []),
    ...(databaseUrl === undefined ? [] : [['database', withoutCredentials(databaseUrl)]]),
    ...(redisUrl === undefined ? [] : [['Redis', withoutCredentials(redisUrl)]]),
    ...(hasFiles && blobs !== undefined ? [['files in', placeOf(blobs)]] : []),
  ];
}

function placeOf({ bucket, prefix }: { readonly bucket: string; readonly prefix: string }): string {
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** A command to try each service, with its address. */
function trialsOf({ addresses: { rest, gateway, files }, deployment }: Started): readonly Row[] {
  const message = `{"author":"ada","content":"Hello, hearth!"}`;
  const trials = [
    ['gateway', 'listen on the gateway', `npx --yes wscat -c ${gateway}`],
    ['rest', 'post to the REST service', `curl -d '${message}' ${joinUrl(rest, 'messages')}`],
    [
      'files',
      'upload to the file service',
      `curl -F file=@photo.png ${joinUrl(files, ATTACHMENTS_BUCKET)}`,
    ],
  ] as const;
  return trials.flatMap(([name, what, how]) =>
    deployment.components.includes(name) ? [[what, how]] : [],
  );
}

const LOOPBACK_HINT =
  'Only this machine can reach it. To let others in, start it with HOST=0.0.0.0, or put a proxy in front of it.';

const BEHIND_PROXY_HINT =
  'Others reach it through a proxy on this machine. To let the local network in, start it with HOST=0.0.0.0.';

const EVERYWHERE_HINT =
  "Other machines can open the web client at this machine's name or address, on the same port.\n" +
  'Once everybody uses one address, set public_url in the instance file: links to shared files contain it.';

const OPEN_THIS = '   ← open this in a browser';

function webFacts({ web, publicUrl, networkUrl }: Started): readonly Row[] {
  switch (web.state) {
    case 'served': {
      const own = ['on this machine', web.url];
      return [
        ['web client', `${publicUrl ?? web.url}${OPEN_THIS}`],
        ...(networkUrl === undefined ? [] : [['in this network', networkUrl]]),
        ...(publicUrl === undefined || networkUrl === web.url ? [] : [own]),
      ];
    }
    case 'missing':
      return [['web client', `not served: ${web.reason}`]];
    case 'off':
      return [];
  }
}

function hints({ web, deployment, publicUrl }: Started): readonly string[] {
  if (isLoopback(deployment.host)) {
    return [publicUrl === undefined ? LOOPBACK_HINT : BEHIND_PROXY_HINT];
  }
  return publicUrl === undefined && web.state === 'served' && isEverywhere(deployment.host)
    ? [EVERYWHERE_HINT]
    : [];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host);
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
