import { RATE_LIMIT_NAMES, RATE_LIMITS, rateLimitKeys } from '../rate-limits.ts';
import type { Fields, NounDescription } from './noun.ts';

const LIMITS: Fields = Object.fromEntries(
  RATE_LIMIT_NAMES.flatMap((name) =>
    rateLimitKeys(name).map((key) => [key, `${RATE_LIMITS[name].counts}.`] as const),
  ),
);

export const instance: NounDescription = {
  title: 'The instance',
  about:
    'An instance is one Hearth server. These routes say what it is called, what it can do, and how much it allows. A client reads `GET /` and `GET /capabilities` first, and asks again from time to time.',
  tags: ['instance'],
  fields: {
    description: 'What the owner says about the instance. Null if they say nothing.',
    message_limit: 'The most characters of a message.',
    file_size: 'The most bytes of a file in a bucket other than `attachments`.',
    attachment_file_size: 'The most bytes of a file in the bucket `attachments`.',
    registration:
      '`open`: everyone may register. `approval`: the staff accepts accounts. `invite`: an invite is needed. `closed`: nobody may.',
    access_code:
      'Whether requests need the header `X-Access-Code`, whose value people get from the owner, and the gateway a subprotocol ([the access code](README.md#the-access-code)). Absent if they do not.',
    reset_after: 'The length of a time frame in seconds.',
    limit: 'How many requests count in a time frame.',
    file_size_limit: 'How many bytes may be uploaded in a time frame.',
    until: 'When it ends, in Unix milliseconds. Absent if it lasts until the owner ends it.',
    reason: 'What the owner says about it to the people it concerns.',
  },
  objects: {
    instanceInfo: [
      'What `GET /` answers: the name of the instance, its addresses, and its most important limits.',
      {
        instance_name: 'What the owner calls the instance.',
        version:
          'The version of the documented interface, `+hearth.` and the version of Hearth. Clients check `GET /capabilities` instead of comparing it.',
        oprish_url: 'The address of the REST service. Paths in this reference begin there.',
        pandemonium_url:
          'The address of the gateway, for a WebSocket. The profile is added as its query: `?v=2`.',
        effis_url: 'The address of the file service.',
      },
    ],
    capabilities: [
      'What an instance offers beyond the documented interface. Unknown names are ignored.',
      {
        profiles:
          'The profiles of the gateway, in ascending order. A client connects with `?v=` and the highest that it knows.',
        features: 'The names of what the instance offers. [Features](features.md) lists them.',
        registration_question:
          'What people are asked when they register; the answer goes into `answer`. Absent if nothing is asked.',
        proof: 'A task whose solution `POST /users` needs. Absent if none is needed now.',
        lobby:
          '`open`: guests may use the lobby. `accounts`: an account is needed. `off`: there is none.',
        web_url:
          'The address of the web client, for links. Absent if the instance does not know it.',
        limits: 'Limits that clients must respect.',
        nonce_limit: 'The most characters of a nonce.',
        page_limit: 'The most entries that one request for a list returns.',
        media_sizes:
          'The sizes that `GET /media/{id}` takes: the longer side of a picture in pixels, in ascending order.',
      },
    ],
    onlineCount: ['How many clients are connected.', { count: 'The connections of all gateways.' }],
    rateLimit: 'A limit: so many requests in a time frame.',
    fileRateLimit: 'A limit that also bounds how many bytes are uploaded in a time frame.',
    restRateLimits: ['The limits of the REST service, and of connections with profile 2.', LIMITS],
    fileRateLimits: ['The limits of the file service.', LIMITS],
    instanceRateLimits: [
      'All limits that are in force.',
      {
        oprish: 'Limits of the REST service, and of connections with profile 2.',
        pandemonium:
          'The limit of the gateway, for connections and for payloads of each connection.',
        effis: 'Limits of the file service.',
      },
    ],
    openApi: [
      'An OpenAPI 3.1 document about the service that answers with it.',
      {
        openapi: 'The version of OpenAPI.',
        info: 'The title of the service, and the version of the instance.',
        'info.title': 'What the service is called.',
        'info.version': 'The version of the instance.',
        paths: 'Every route, by its path.',
      },
    ],
    pageQuery: [
      'The query of a list that goes on by a cursor.',
      { limit: 'How many entries the answer has at most: 50 if it is absent.' },
    ],
    nothing: 'An empty object, for a request that succeeded and has nothing to report.',
    errorEnvelope: [
      'What every error looks like. [Errors](errors.md) lists them.',
      {
        status: 'The status of the HTTP answer, again.',
        message: 'A sentence for people.',
        data: 'What programs need to know; absent for errors that have none.',
      },
    ],
    term: 'How long a pause or a ban lasts, and why.',
    pauses: [
      'What the owner has paused for everyone. What is not paused is absent.',
      {
        posting: 'Nobody may post messages, posts or comments.',
        uploads: 'Nobody may upload files.',
      },
    ],
    ownServices: [
      'What the instance writes into the page of the web client. Other clients do not need it.',
      {
        paths: 'The paths of the services at the origin of the page.',
        'paths.rest': 'The path of the REST service.',
        'paths.gateway': 'The path of the gateway.',
        'paths.files': 'The path of the file service.',
        has_public_url: 'Whether the InstanceInfo has addresses that everyone can reach.',
        file_addresses: 'Further addresses of the file service that messages may name.',
        listed_addresses:
          'Addresses of the file service. A file that a message names there, and does not list, does not exist.',
      },
    ],
  },
};
