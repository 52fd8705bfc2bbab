import type { NounDescription } from './noun.ts';

const connection = 'The client of the connection. It has no stream.';
const byClient = 'Sent by the client.';

export const gateway: NounDescription = {
  title: 'The gateway',
  about:
    'The gateway sends events over a WebSocket, whose address is `pandemonium_url` of `GET /`. Each payload is one text frame of JSON. This page is about profile 2, `?v=2`, on which a client says who it is, follows several streams, and continues where it was. [The life of a client](client.md) shows it step by step, and the pages of the nouns have their events.',
  tags: [],
  fields: {
    streams:
      'The streams that the client follows: the epoch of each, and the position after which its events follow.',
    resume:
      'The streams that the client had: the epoch of each, and the position of the last event that it has.',
    recovered: 'The streams that continue right after the position that the client named.',
    lost: 'The streams that the client named and that do not continue there. What is shown of them is read again.',
    stream:
      'The name: `lobby`, `u:` and the id of the user, `c:` or `m:` and the id of a community, or `r:` and the id of a channel.',
    epoch:
      'One unbroken numbering of the stream. Positions of different epochs cannot be compared.',
    heartbeat_interval: 'A client sends PING at least this often, in milliseconds.',
    retry_after: 'How long to wait, in milliseconds.',
    channels: 'Channels whose `TYPING` is sent.',
    posts: 'Posts whose comments and votes are sent.',
    communities: 'Communities whose members and presence are sent.',
    users: 'People whose presence and changes are sent. No instance does so yet.',
    user_id: 'The person.',
    status: '`offline` means that no client of theirs is connected.',
    user: 'The person.',
  },
  objects: {
    id: 'An identifier: a number of up to 128 bits, as a string of decimal digits. Ids of things that were made later are greater, also across kinds. Compare them as numbers: first by length, then as text. The upper 64 bits are the second in which the thing was made, counted from 1650000000 in Unix time, so no id of a second `t` is less than `(t - 1650000000) * 2 ** 64`.',
    position: 'A position in a stream, which grows by one with each event.',
    streamPlace: 'A place in a stream: its epoch and a position.',
    streamPlaces: 'Places in streams, by the names of the streams.',
    presence: 'Somebody, and whether they are there.',
    clientEvent: 'Everything that a client may send.',
    serverEvent: 'Everything that the documented gateway sends.',
    profileEvent: 'Everything that a gateway of profile 1 sends.',
    accountEvent: 'Everything that a gateway of profile 2 sends.',
    streamNotice: 'What a gateway sends about a stream.',
    watchedEvent: 'What a client is sent of what it watches.',
  },
  events: {
    ping: { about: 'A sign of life. The gateway answers with PONG.', to: byClient },
    authenticate: {
      about:
        'The first payload of a client of profile 2, within `authenticate_within` after HELLO.',
      to: byClient,
      fields: {
        d: 'Who the client is, and where it was. Absent for a guest who begins.',
        token: 'The token of a session. Without one, the client is a guest.',
        online: 'Whether the client wants ONLINE.',
        pauses: 'Whether the client wants PAUSES.',
      },
    },
    watch: {
      about:
        'Replaces what the client watches: what it shows now. What it may not see is left out, and so is what is beyond 20 channels, 5 posts, 5 communities and 100 people.',
      to: byClient,
    },
    pong: {
      about:
        'The answer to a PING. A client that is sent none within some seconds, such as 10, has lost the connection, and connects again.',
      to: connection,
    },
    hello: {
      about: 'The first payload of profile 1.',
      to: connection,
      fields: {
        v: 'The profile.',
        s: 'The position after which events follow.',
        epoch: 'The numbering of the lobby. Positions of different epochs cannot be compared.',
        recovered:
          'Whether the events after the position that the client asked for follow. Null if it asked for none.',
      },
    },
    accountHello: {
      about: 'The first payload of profile 2.',
      to: connection,
      fields: {
        v: 'The profile.',
        authenticate_within: 'How long the client may take to send AUTHENTICATE, in milliseconds.',
        limits: 'What the client may send over this connection.',
        gateway_events: 'How many payloads.',
        payload_bytes: 'The size of the largest payload.',
      },
    },
    ready: {
      about:
        'The client is authenticated. Everything here is at least as new as the positions in `streams`: events may repeat it, and an object with a lower `version` than the known one is ignored.',
      to: connection,
      fields: {
        user: 'The account. Absent for a guest.',
        session: 'The session. Absent for a guest.',
        communities: 'The communities of the user, the one joined first first.',
        read_states:
          'The channels that the user has opened. In others, everything is read that is older than the second in which the user joined.',
        notification_settings: 'What the user has chosen to be notified of.',
        recovered:
          'The streams that continue right after the position that the client named. Absent if it named none.',
      },
    },
    resumed: {
      about:
        'The client continues where it was. What it has missed follows. The answer is READY instead if the streams of the user and of their communities do not all continue, or the user has joined another community meanwhile.',
      to: connection,
    },
    rateLimited: {
      about: 'The last payload was ignored, because the client sends too many.',
      to: connection,
    },
    disconnect: {
      about:
        'The connection is about to be closed. The code of the close frame is 1011 for every reason, so a client decides by this payload.',
      to: connection,
      fields: {
        reason: 'Why. An unknown reason is read as `server_error`.',
        reconnect: 'Whether it helps to connect again.',
        ban: 'What the owner says about a ban.',
      },
    },
    streamOpen: {
      about:
        'The events of a stream follow, after this position. The client reads what the stream shows: the community of `c:` with `GET /users/me/communities/{id}`, and the channel of `r:` with `GET /channels/{id}`.',
      to: connection,
      fields: { s: 'The position after which events follow.' },
    },
    streamClose: {
      about:
        'No more events of a stream follow. What is shown of it is forgotten, such as the channel of `r:`, unless it is not restricted any more: no event says that the user does not see it now.',
      to: connection,
    },
    online: {
      about: 'How many clients are connected now.',
      to: 'Clients that asked for it. It has no stream.',
    },
    pausesEvent: {
      about: 'What the owner has paused.',
      to: 'Clients that asked for it. It has no stream.',
    },
    watched: {
      about: 'What the client watches from now on, and how that is at present.',
      to: connection,
      fields: {
        channels: 'The channels that are watched.',
        posts: 'The posts that are watched.',
        communities: 'The communities that are watched.',
        'communities.id': 'The community.',
        'communities.online': 'The members who are there, at most 100.',
        users: 'The people who are watched, and whether they are there. No instance sends any yet.',
      },
    },
    presenceEvent: {
      about: 'Somebody has come or gone.',
      to: 'Clients that watch the person, or a community of theirs. It has no stream.',
    },
  },
};
