import { DEFAULT_MESSAGE_LIMIT, DESCRIPTION_LENGTH } from '@hearth/protocol';
import { ACCOUNT_OPTIONS } from './account-options.ts';
import { byteSize } from './byte-size.ts';
import { limitsIn, rateLimit } from './limit-options.ts';
import { option, optional, section, type OptionValues } from './option.ts';
import {
  colour,
  filledText,
  path,
  textOfLength,
  url,
  urlPath,
  wholeNumber,
  yesOrNo,
} from './value-types.ts';

const otherSpellings = ['rate limits'];

/**
 * Everything that an instance file can set, with the defaults of the specification (Limits: Configuration defaults).
 */
export const INSTANCE_OPTIONS = {
  instance_name: option({
    as: 'instanceName',
    type: filledText,
    default: 'Hearth',
    about: 'Name of this instance, as clients show it',
    isRequired: true,
  }),
  description: optional({
    type: textOfLength(DESCRIPTION_LENGTH.min, DESCRIPTION_LENGTH.max),
    fallback: null,
    fallbackName: 'none',
    example: 'A home for our community',
    about: 'What this instance is about, as clients show it',
  }),
  public_url: optional({
    as: 'publicUrl',
    type: url('http', 'https'),
    fallback: undefined,
    fallbackName: 'none',
    example: 'https://chat.example.org',
    about:
      'Address at which everyone opens the web client; clients find the services below it, at the paths of [web]',
  }),
  ...ACCOUNT_OPTIONS,
  oprish: section({
    as: 'rest',
    about: 'The REST service: information about the instance, and messages',
    options: {
      url: publishedUrl('REST service', url('http', 'https'), 'https://chat.example.org'),
      message_limit: option({
        as: 'messageLimit',
        type: wholeNumber(1, 1_000_000),
        default: DEFAULT_MESSAGE_LIMIT,
        about: 'Maximum length of a message, in characters',
      }),
      reserve_names: option({
        as: 'reservesNames',
        type: yesOrNo,
        default: true,
        about:
          'Whether messages without an account are refused if their author has the name of an account, or one that looks like it',
      }),
      link_previews: option({
        as: 'hasLinkPreviews',
        type: yesOrNo,
        default: true,
        about:
          'Whether addresses in posts are shown with a title and a picture, for which the instance requests them',
      }),
      history: section({
        about: 'Messages that are kept for later requests: GET /messages',
        options: {
          messages: option({
            type: wholeNumber(0, 100_000_000),
            default: 10_000,
            about: 'How many messages are kept; 0 keeps none',
          }),
          days: option({
            type: wholeNumber(1, 36_500),
            default: 30,
            about: 'How many days a message is kept',
          }),
        },
      }),
      rate_limits: section({
        as: 'limits',
        about: 'Limits of the REST service, by route',
        otherSpellings,
        options: limitsIn('oprish'),
      }),
    },
  }),
  pandemonium: section({
    as: 'gateway',
    about: 'The gateway: a WebSocket over which clients receive messages as they are posted',
    options: {
      url: publishedUrl('gateway', url('ws', 'wss'), 'wss://gateway.example.org'),
      send_buffer: option({
        as: 'sendBufferBytes',
        type: byteSize(64 * 1024, 64 * 1024 ** 2),
        default: '1MiB',
        about: 'How much data may wait for one slow client before its connection is closed',
      }),
      send_buffer_total: option({
        as: 'sendBufferTotalBytes',
        type: byteSize(1024 ** 2, 64 * 1024 ** 3),
        default: '256MB',
        about:
          'Memory for the data that waits for all clients; beyond that, the connections with the most waiting data are closed',
      }),
      replay: section({
        about: 'Events that are kept in memory for clients that resume after a short absence',
        options: {
          events: option({
            type: wholeNumber(0, 100_000),
            default: 10_000,
            about: 'How many events are kept; 0 keeps none',
          }),
          minutes: option({
            type: wholeNumber(1, 24 * 60),
            default: 10,
            about: 'How many minutes an event is kept',
          }),
          size: option({
            as: 'bytes',
            type: byteSize(0, 4 * 1024 ** 3),
            default: '16MiB',
            about: 'Maximum size of all kept events together, as they are sent',
          }),
        },
      }),
      rate_limit: { ...rateLimit('gateway'), as: 'limit' as const },
    },
  }),
  effis: section({
    as: 'files',
    about: 'The file service: attachments that clients upload, and static files of the owner',
    options: {
      url: publishedUrl('file service', url('http', 'https'), 'https://files.example.org'),
      file_size: option({
        as: 'assetSizeBytes',
        type: byteSize(),
        default: '20MB',
        about: 'Maximum size of an asset, such as a static file',
      }),
      attachment_file_size: option({
        as: 'attachmentSizeBytes',
        type: byteSize(),
        default: '100MB',
        about: 'Maximum size of an attachment',
      }),
      total_size: optional({
        as: 'totalSizeBytes',
        type: byteSize(),
        fallback: undefined,
        fallbackName: 'no limit',
        example: '50GB',
        about: 'Maximum size of all attachments together; beyond that, uploads are refused',
      }),
      user_size: option({
        as: 'userSizeBytes',
        type: byteSize(),
        default: '1GB',
        about: 'Maximum size of all attachments of one user together',
      }),
      transfers_per_client: option({
        as: 'transfersPerClient',
        type: wholeNumber(1, 65_536),
        default: 64,
        about: 'How many uploads and downloads of one client may run at once',
      }),
      rate_limits: section({
        as: 'limits',
        about: 'Limits of the file service',
        otherSpellings,
        options: limitsIn('effis'),
      }),
    },
  }),
  web: section({
    about: 'The web client, whose port also serves the other components of its process, by path',
    options: {
      icon: optional({
        type: path,
        fallback: undefined,
        fallbackName: "Hearth's own icon",
        example: 'icon.png',
        about:
          'Icon of this instance: a PNG, SVG or WebP file of at most 1 MB, best a square PNG of 512 pixels; a relative path starts at the folder of this file',
      }),
      accent: optional({
        type: colour,
        fallback: undefined,
        fallbackName: "Hearth's own colour",
        example: '#b3401a',
        about: 'Accent colour of the page, which makes it darker or lighter if it cannot be read',
      }),
      api_path: servicePath('restPath', 'REST service', '/api'),
      gateway_path: servicePath('gatewayPath', 'gateway', '/gateway'),
      files_path: servicePath('filesPath', 'file service', '/files'),
    },
  }),
};

const ASSET_SIZE_KEY: keyof typeof INSTANCE_OPTIONS.effis.options = 'file_size';

/** The option that limits the size of static files, as messages name it. */
export const ASSET_SIZE_OPTION = `effis.${ASSET_SIZE_KEY}`;

/** The values of the instance file. Keys inside limits are those of the wire. */
export type InstanceSettings = OptionValues<typeof INSTANCE_OPTIONS>;

function publishedUrl(service: string, type: ReturnType<typeof url>, example: string) {
  return optional({
    type,
    fallback: undefined,
    fallbackName: 'below public_url, or else the address on this machine',
    example,
    about: `Public address of the ${service}, which is sent to clients`,
  });
}

function servicePath<const Name extends string>(as: Name, service: string, path: string) {
  return option({ as, type: urlPath, default: path, about: `Path of the ${service}` });
}
