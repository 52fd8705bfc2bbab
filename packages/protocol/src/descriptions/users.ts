import type { NounDescription } from './noun.ts';

export const users: NounDescription = {
  title: 'Users',
  about:
    'A user is a person with an account. Everyone may read what users show of themselves. The other routes are about the caller’s own account: registering, changing it, a second factor, codes that are mailed, a copy of all data, and the end of the account.',
  tags: ['users'],
  fields: {
    id: 'The user. It never changes.',
    username:
      'The name in addresses and mentions. It is unique on the instance, and in lower case.',
    display_name: 'The name that is shown instead of the username.',
    bio: 'What the person says of themselves, in Markdown.',
    pronouns: 'How to speak of the person.',
    avatar: 'The id of a picture, which `GET /media/{id}` of the file service answers with.',
    banner: 'The id of a wide picture for the profile.',
    bot: 'Whether it is a program.',
    host: 'The instance that the person belongs to, if that is another one.',
    points: 'How many points the votes of others gave, over all communities.',
    deleted:
      'The account was deleted. Everything but `id` and `username` is absent then, and the username is `deleted`.',
    created_at: 'When the account was registered, in Unix milliseconds.',
    email: 'The address for mail. Nobody else sees it.',
    password: 'A new password.',
    code: 'A code from a mail. Its case, spaces and hyphens do not matter.',
    challenge: 'The text of the task, which is sent back as it is.',
  },
  objects: {
    user: [
      'A user, as everyone sees them.',
      {
        created_at:
          'When the account was registered, in Unix milliseconds. Absent if it was deleted.',
      },
    ],
    userSummary: 'A user, as other objects mention them.',
    userSummaryList: 'A list of users.',
    ownUser: [
      'A user, as they see themselves.',
      {
        email_verified: 'Whether a code that was sent to `email` has been redeemed.',
        pending_email:
          'The address that replaces `email` as soon as a code that was sent to it is redeemed.',
        settings: 'What clients keep for the person. Each client chooses names for its settings.',
        storage: 'What the uploads of the person take. Only `GET /users/me` has it.',
        'storage.used': 'The bytes of all uploads.',
        'storage.limit': 'How many bytes they may have.',
        staff_permissions:
          'What the person may do on the whole instance. Absent for people who are not staff.',
        factors: 'The second factors that the account has.',
        needs_factor:
          'Whether the permissions of the staff wait until the account has a second factor.',
      },
    ],
    username:
      'A username, as somebody writes it: letters from a to z, digits, `_`, `.` and `-`, with a letter or digit at both ends. It is stored in lower case.',
    displayName: 'A name that is shown instead of the username.',
    email: 'An address for mail.',
    password: 'A new password.',
    currentPassword: 'A password that is compared with the one that the account has.',
    factorCode: 'A code of the second factor: six digits from an app, or a recovery code.',
    typedCode: 'A code from a mail, as somebody types it.',
    registration: [
      'What a new account begins with.',
      {
        email: 'An address for mail.',
        password: 'The password of the account.',
        language: 'The language of mails, such as `en` or `de`. It becomes a setting of that name.',
        client: 'The program, for the list of sessions.',
        invite:
          'The code of an invite to the instance, or of an invite to a community that registers.',
        answer: 'The answer to `registration_question` of the capabilities.',
        proof: 'The solution of `proof` of the capabilities, if they have one.',
      },
    ],
    proofChallenge: [
      'A task that costs time, so that accounts are not registered by the thousand. Each `GET /capabilities` has a new one.',
      {
        bits: 'The SHA-256 of `challenge`, a colon and `nonce` has to begin with so many zero bits.',
        expires_at: 'Until when the solution is accepted, in Unix milliseconds.',
      },
    ],
    proof: [
      'A solved task. It registers one account.',
      { nonce: 'A text that solves it, such as a counter.' },
    ],
    joined: [
      'The community that a new account has joined by its invite.',
      {
        community_id: 'The community that the invite was to.',
        slug: 'Its name in addresses.',
        channel_id: 'The channel to show first, if the person sees it.',
      },
    ],
    entered: [
      'A new account that may be used at once.',
      {
        user: 'The new account.',
        token: 'The token of a session that begins.',
        session: 'The session that has begun.',
        joined: 'The community that the account has joined, if the invite was to one.',
      },
    ],
    pending: [
      'A new account that waits for the staff.',
      { user: 'The new account.', pending: 'Nobody can sign in until the staff accepts it.' },
    ],
    registered: 'A new account: one that may be used at once, or one that waits.',
    userChange: [
      'What to change. What is absent stays as it is, and null clears it.',
      {
        avatar:
          'The id of a picture that the caller has uploaded. Everyone can fetch it from then on.',
        banner:
          'The id of a picture that the caller has uploaded. Everyone can fetch it from then on.',
        settings: 'Settings to replace, by their names. Null removes one.',
        email: 'A new address. It replaces the old one when a code that is sent to it is redeemed.',
        password: 'A new password. All other sessions end, and the answer has a new token.',
        current_password:
          'The password that the account has now. Needed with `email` and `password`.',
      },
    ],
    changedUser:
      'The user after the change. After a new password it is in `user`, and a new token is in `token`.',
    accountRemoval: [
      'How to end the account.',
      {
        content:
          '`keep`: what the person wrote stays, without their name. `erase`: it is deleted, too.',
      },
    ],
    totpSetup: [
      'A step of setting up a second factor. The first request has the password, and the second one a code of the app.',
      { code: 'Six digits from the app, which prove that it has the secret.' },
    ],
    totpSecret: [
      'What an authenticator app needs.',
      {
        secret: 'The secret in base 32.',
        uri: 'The same as an `otpauth:` address, for a QR code.',
      },
    ],
    recoveryCodes: [
      'Codes for somebody who has lost the app.',
      { recovery_codes: 'Each one signs in once. They are never shown again.' },
    ],
    totpSetupAnswer:
      'The secret after the first request, and the recovery codes after the second one.',
    totpRemoval: [
      'A proof by the person that the second factor may go.',
      { code: 'Six digits from the app, or a recovery code.' },
    ],
    passwordResetRequest: 'For whom a code is mailed.',
    passwordReset: 'A new password. All sessions of the account end.',
    accountExport: [
      'A copy of everything that the instance has of the caller, which is made in the background.',
      {
        state: '`none`: it was not asked for. `working`, `ready` or `failed`: how far it is.',
        requested_at: 'When it was asked for, in Unix milliseconds. Absent for `none`.',
        done: 'For `working`: how many files are in the archive already.',
        total: 'For `working`: how many files there will be; 0 until that is known.',
        expires_at: 'For `ready`: when the archive is removed, in Unix milliseconds.',
        size_bytes: 'For `ready`: the size of the archive.',
        url: 'For `ready`: where everyone who knows this address can fetch the ZIP archive.',
      },
    ],
  },
  events: {
    ownUserUpdate: {
      about: 'The user has changed, on any device. `d` is the whole user.',
      to: 'All clients of the user, in the stream `u:`.',
    },
    watchedUserUpdate: {
      about: 'Somebody has changed what everyone sees of them, or their account has ended.',
      to: 'Clients that watch a community of theirs, or the user. It has no stream.',
    },
  },
};
