/** The names in `features` of the Capabilities, and what each of them promises. Every instance lists a new name. Ours. */
export const FEATURES = {
  accounts:
    'people can have accounts: `POST /users`, `POST /auth` and the routes for a token answer',
  around: '`GET /messages` takes `around`',
  attachments:
    'messages list the files that they name in `attachments`; FileData has `size` and `placeholder`',
  changes:
    'authors with an account change and delete their messages, and the gateway sends `MESSAGE_UPDATE` and `MESSAGE_DELETE`',
  communities:
    'people make communities, and find them: `POST /communities`, `GET /communities/<id>`',
  history: '`GET /messages` answers the messages of the lobby that are kept',
  online:
    'the gateway sends `ONLINE` to clients of profile 1 that ask for it, and `GET /online` answers',
  mail: 'the instance sends mail: codes that verify an address, and codes to choose a new password',
  media:
    '`GET /media/<id>` of the file service answers with a picture in the sizes of `media_sizes`',
  pauses:
    'the gateway sends `PAUSES` to clients of profile 1 that ask for it, and `DISCONNECT` has `ban`',
  strip: 'an upload takes `strip`, which removes metadata before the file is stored',
  nonce:
    '`POST /messages` takes a `nonce`, which comes back with the message on profile 1; with a token it creates one message only',
  posts: 'channels of communities have posts: `POST /channels/<id>/posts`, `GET /posts/<id>`',
  reactions:
    'people with an account react to messages, and the gateway sends `REACTION_ADD` and `REACTION_REMOVE`',
  search: '`GET /search` finds messages, posts and comments, and `GET /search/facets` counts them',
} as const satisfies Readonly<Record<string, string>>;

/** Something that an instance offers beyond the documented interface. */
export type Feature = keyof typeof FEATURES;
