import { DEFAULT_MESSAGE_LIMIT, DESCRIPTION_LENGTH, type RateLimit } from '@hearth/protocol';
import type { InstanceSettings } from './config.ts';
import { byteSize } from './byte-size.ts';
import { option, optional, type OptionValues, section } from './option.ts';
import { filledText, textOfLength, url, wholeNumber } from './value-types.ts';

const SECONDS_A_YEAR = 31_536_000;
const requestCount = wholeNumber(1);
const timeFrame = wholeNumber(1, SECONDS_A_YEAR);
const otherSpellings = ['rate limits'];

/** Everything that an instance file can set, with the defaults of the specification (Limits: Configuration defaults). */
export const INSTANCE_OPTIONS = {
  instance_name: option({
    type: filledText,
    default: 'Hearth',
    about: 'Name of this instance, as clients show it',
    activeInExample: true,
  }),
  description: optional({
    type: textOfLength(DESCRIPTION_LENGTH.min, DESCRIPTION_LENGTH.max),
    fallback: null,
    fallbackName: 'none',
    example: 'A home for our community',
    about: 'What this instance is about, as clients show it',
  }),
  oprish: section({
    about: 'The REST service: information about the instance, and messages',
    options: {
      url: publishedUrl('REST service', url('http', 'https'), 'https://chat.example.org'),
      message_limit: option({
        type: wholeNumber(1, 1_000_000),
        default: DEFAULT_MESSAGE_LIMIT,
        about: 'Most characters that a message may have',
      }),
      history: section({
        about: 'What is kept of the messages, for who comes later: GET /messages',
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
        about: 'Limits of the REST service, by route',
        otherSpellings,
        options: {
          info: rateLimit('Requests for information about the instance: GET /', {
            reset_after: 5,
            limit: 2,
          }),
          message_create: rateLimit('Messages posted: POST /messages', {
            reset_after: 5,
            limit: 10,
          }),
          message_list: rateLimit('Requests for the history of messages: GET /messages', {
            reset_after: 5,
            limit: 20,
          }),
          rate_limits: section({
            about: 'Requests for the limits in force: GET /rate_limits',
            otherSpellings,
            options: requestLimit({ reset_after: 5, limit: 2 }),
          }),
        },
      }),
    },
  }),
  pandemonium: section({
    about: 'The gateway: a WebSocket over which clients receive messages as they are posted',
    options: {
      url: publishedUrl('gateway', url('ws', 'wss'), 'wss://gateway.example.org'),
      send_buffer: option({
        type: byteSize(64 * 1024, 64 * 1024 ** 2),
        default: '1MiB',
        about: 'How much may wait for one slow client before its connection is closed',
      }),
      replay: section({
        about: 'What is kept in memory for clients that were away for a moment and resume',
        options: {
          events: option({
            type: wholeNumber(0, 1_000_000),
            default: 10_000,
            about: 'How many events are kept; 0 keeps none',
          }),
          minutes: option({
            type: wholeNumber(1, 24 * 60),
            default: 10,
            about: 'How many minutes an event is kept',
          }),
          size: option({
            type: byteSize(0, 4 * 1024 ** 3),
            default: '16MiB',
            about: 'How much the kept events may be together, as they are sent',
          }),
        },
      }),
      rate_limit: rateLimit('Connections, and payloads sent over each connection', {
        reset_after: 10,
        limit: 5,
      }),
    },
  }),
  effis: section({
    about: 'The file service: attachments that clients upload, and static files of the owner',
    options: {
      url: publishedUrl('file service', url('http', 'https'), 'https://files.example.org'),
      file_size: option({
        type: byteSize(),
        default: '20MB',
        about: 'Largest asset, such as a static file',
      }),
      attachment_file_size: option({
        type: byteSize(),
        default: '100MB',
        about: 'Largest attachment',
      }),
      rate_limits: section({
        about: 'Limits of the file service',
        otherSpellings,
        options: {
          assets: fileRateLimit(
            'Handling of assets (every bucket other than attachments), which no client can upload yet',
            { reset_after: 60, limit: 5 },
            '30MB',
          ),
          attachments: fileRateLimit(
            'Uploads of attachments',
            { reset_after: 180, limit: 20 },
            '500MB',
          ),
          fetch_file: rateLimit('Requests for files', { reset_after: 60, limit: 30 }),
        },
      }),
    },
  }),
};

const ASSET_SIZE_KEY: keyof typeof INSTANCE_OPTIONS.effis.options = 'file_size';

/** The option that bounds static files, as messages name it. */
export const ASSET_SIZE_OPTION = `effis.${ASSET_SIZE_KEY}`;

/** The settings that the values of {@link INSTANCE_OPTIONS} stand for. */
export function toInstanceSettings(
  values: OptionValues<typeof INSTANCE_OPTIONS>,
): InstanceSettings {
  const { oprish, pandemonium, effis } = values;
  return {
    instanceName: values.instance_name,
    description: values.description,
    rest: {
      url: oprish.url,
      messageLimit: oprish.message_limit,
      limits: oprish.rate_limits,
      history: oprish.history,
    },
    gateway: {
      url: pandemonium.url,
      limit: pandemonium.rate_limit,
      sendBufferBytes: pandemonium.send_buffer,
      replay: {
        events: pandemonium.replay.events,
        minutes: pandemonium.replay.minutes,
        bytes: pandemonium.replay.size,
      },
    },
    files: {
      url: effis.url,
      assetSizeBytes: effis.file_size,
      attachmentSizeBytes: effis.attachment_file_size,
      limits: effis.rate_limits,
    },
  };
}

function publishedUrl(service: string, type: ReturnType<typeof url>, example: string) {
  return optional({
    type,
    fallback: undefined,
    fallbackName: 'the address on this machine',
    example,
    about: `Address of the ${service} that clients are told`,
  });
}

function rateLimit(about: string, defaults: RateLimit) {
  return section({ about, options: requestLimit(defaults) });
}

function fileRateLimit(about: string, defaults: RateLimit, defaultBytes: string) {
  const bytes = option({
    type: byteSize(),
    default: defaultBytes,
    about: 'Bytes that one client may upload in each time frame',
  });
  return section({ about, options: { ...requestLimit(defaults), file_size_limit: bytes } });
}

function requestLimit(defaults: RateLimit) {
  return {
    reset_after: option({
      type: timeFrame,
      default: defaults.reset_after,
      about: 'Length of a time frame, in seconds',
    }),
    limit: option({
      type: requestCount,
      default: defaults.limit,
      about: 'What one client may do in each time frame',
    }),
  };
}
