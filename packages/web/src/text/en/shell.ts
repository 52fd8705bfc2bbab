/** The texts around the lobby: frame, welcome, panel about the server, settings, connection. */
export const enShell = {
  welcome: {
    tagline: 'One room, everyone in it. No account: pick a name and come in.',
    nameLabel: 'Your name',
    nameHint: '2 to 32 characters. Others see it beside what you write.',
    enter: 'Come in',
    haveAccount: 'With an account, the name is yours alone:',
    facts: (characters: string, fileSize: string) =>
      `Messages of up to ${characters} characters, files of up to ${fileSize}.`,
  },
  accessCode: {
    tagline: 'This server asks for an access code. You need it once.',
    label: 'Access code',
    hint: 'Ask the people who invited you.',
    enter: 'Continue',
    impossible: 'An access code has 6 to 64 characters, without spaces and accents.',
    wrong: 'That is not the access code.',
    changed: 'The access code has changed. Enter the new one.',
  },
  refusals: {
    paused: (until: string | undefined) =>
      until === undefined
        ? 'Writing is paused for everyone'
        : `Writing is paused for everyone until ${until}`,
    banned: (until: string | undefined) =>
      until === undefined
        ? 'You are banned from this server'
        : `You are banned from this server until ${until}`,
  },
  name: {
    missing: 'Choose a name first.',
    short: 'A name has at least 2 characters.',
    long: (count: number) => `A name has at most 32 characters; this one has ${count}.`,
  },
  places: {
    about: 'About',
    settings: 'Settings',
    signIn: 'Sign in',
    register: 'Create an account',
    forgottenPassword: 'Forgotten password',
    resetPassword: 'New password',
    verifyEmail: 'Confirm your address',
    communities: 'Find communities',
    feed: 'Feed',
    newCommunity: 'New community',
    invite: 'Invite',
    notFoundTitle: 'There is nothing here',
    notFoundText: 'The address may be mistyped, or what it led to is gone.',
    toLobby: 'Go to the lobby',
    partFailed: 'This part of the page could not be loaded.',
    partGone:
      'This part of the page cannot be loaded. Reloading the page helps: it was probably updated.',
    pageOld: 'This page was updated. Reload it to use the new version.',
  },
  asked: {
    loading: 'Loading…',
    failed: 'This could not be loaded.',
    again: 'Try again',
  },
  header: {
    aboutInstance: (name: string) => `About ${name}`,
    settings: 'Settings',
    people: (count: number, shown: string) =>
      count === 1 ? 'Only you are connected' : `${shown} people are connected`,
    you: (name: string) => `You are ${name}. Change your name`,
    account: (name: string) => `You are ${name}. Your account`,
    signIn: 'Sign in',
    back: 'Back to your communities',
  },
  connection: {
    label: 'Connection',
    connecting: 'Connecting…',
    online: 'Online',
    busy: 'Waiting…',
    catchingUp: 'Catching up…',
    offline: 'Offline',
    reconnecting: 'Reconnecting…',
    reconnectingIn: (time: string) => `Reconnecting in ${time}`,
    rateLimitedFor: (time: string) => `Rate limited, ${time} left`,
    closed: 'Closed',
    tryNow: 'Try now',
  },
  banner: {
    offline: 'You are offline. What you write is kept.',
    reconnecting: 'The server cannot be reached. What you write is kept.',
    rateLimited: 'The server asked this page to slow down. The connection will be back.',
    busy: 'A lot is happening here. What you do is sent as soon as there is room.',
    nextTry: (time: string) => `Next try in ${time}`,
    closed: 'This page has been disconnected. Reload it to continue.',
    reload: 'Reload',
  },
  instance: {
    noDescription: 'The owner has not described this server yet.',
    version: 'Version',
    limits: 'Limits',
    messageLength: 'A message',
    upToCharacters: (count: string) => `up to ${count} characters`,
    fileSize: 'A file',
    upToSize: (size: string) => `up to ${size}`,
    /** The limits that the panel shows. `size` is empty if a limit counts no bytes. */
    rates: {
      message_create: {
        name: 'Sending',
        value: (count: string, time: string) => `${count} messages in ${time}`,
      },
      attachments: {
        name: 'Uploading',
        value: (count: string, time: string, size: string) =>
          `${count} files or ${size} in ${time}`,
      },
      fetch_file: {
        name: 'Opening files',
        value: (count: string, time: string) => `${count} files in ${time}`,
      },
    },
    limitsLoading: 'Asking the server…',
    limitsFailed: 'The server did not answer.',
    addresses: 'Addresses',
    rest: 'REST service',
    gateway: 'Gateway',
    files: 'File service',
    copy: (what: string) => `Copy the address: ${what}`,
    otherClients:
      'Bots and other clients need only the first address; they learn the others from it. This page uses the same interface.',
  },
  settings: {
    title: 'Settings',
    name: 'Your name',
    nameHint: 'Used for what you write from now on.',
    saveName: 'Save',
    nameSaved: 'Saved',
    theme: 'Colours',
    themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    languages: { system: 'Same as the browser', en: 'English', de: 'Deutsch' },
    motion: 'Motion',
    motions: { system: 'Same as the system', off: 'Off' },
    density: 'Density',
    densities: { cosy: 'Cosy', compact: 'Compact' },
    mentionsOnly: 'Only when I am mentioned',
    mentionsOnlyHint:
      'In the lobby, notifications and sounds only for messages with your name and replies to you.',
    sound: 'Sound',
    soundHint: 'Two short notes when someone writes while you are looking elsewhere.',
    notifications: 'Notifications',
    notificationsHint: 'When someone writes while you are looking elsewhere.',
    notificationsDenied:
      'The browser does not allow notifications from this page. You can change that in its site settings.',
    notificationsUnavailable: 'The browser allows notifications only from pages loaded over HTTPS.',
  },
  copy: { copied: 'Copied', notCopied: 'Could not copy' },
  dialog: { close: 'Close' },
  notification: {
    file: 'a file',
    newMessage: 'New message',
    newMessages: (count: string) => `${count} new messages`,
  },
  errors: {
    unknown: 'Something went wrong.',
    notSent: (why: string) => `Not sent. ${why}`,
    maybeNotSent: (why: string) => `This may not have been sent. ${why}`,
    leftOnItsWay: 'The page was closed while this was being sent. It may have arrived.',
    leftUnsent: 'Not sent. The page was closed first.',
    forbidden: 'The server does not allow this.',
    network: 'The server could not be reached.',
    rateLimited: (time: string) => `Too much at once. Try again in ${time}.`,
    busy: 'Too much is happening here right now. Try again in a moment.',
    bytesLeft: (left: string, time: string) =>
      `Only ${left} more can be uploaded for now. Try again in ${time}.`,
    author: (why: string) => `The server did not accept the name: ${why}.`,
    content: (why: string) => `The server did not accept the text: ${why}.`,
    file: (why: string) => `The server did not accept the file: ${why}.`,
    field: (field: string, why: string) => `The server did not accept ${field}: ${why}.`,
    conflict: (why: string) => `${why}.`,
    server: 'The server had an error. Try again in a moment.',
    unexpected: 'Something between you and the server answered instead of it.',
    gone: 'It no longer exists.',
    tooLong: (length: string, limit: string) =>
      `With its files, the message has ${length} characters; ${limit} are allowed.`,
    tooMany: 'Too many messages are already waiting.',
  },
};
