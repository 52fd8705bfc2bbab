/** The texts of writing and sending. */
export const enComposer = {
  label: 'Message',
  placeholder: (instance: string) => `Write to ${instance}`,
  send: 'Send',
  attach: 'Add files',
  drop: 'Drop files to add them to your message',
  charactersLeft: (count: number, text: string) =>
    count === 1 ? '1 character left' : `${text} characters left`,
  charactersOver: (count: number, text: string) =>
    count === 1 ? '1 character too many' : `${text} characters too many`,
  tooLong: 'The message is too long to be sent. Shorten it, or send it in parts.',
  tooLongWithFiles:
    'With the addresses of its files the message is too long to be sent. Shorten it, or send the files by themselves.',
  tooMany: 'Too many messages are waiting already. This one stays here until some are sent.',
  sendAgainIn: (time: string) => `You may send again in ${time}. What you send waits until then.`,
  files: 'Files of this message',
  removeFile: (name: string) => `Remove ${name}`,
  spoiler: 'Spoiler',
  spoilerHint: (name: string) => `Hide ${name} until it is clicked`,
  fileEmpty: (name: string) => `${name} is empty, or a folder. It was not added.`,
  fileTooBig: (name: string, size: string, limit: string) =>
    `${name} has ${size}. Files may have up to ${limit} here. It was not added.`,
  dismiss: 'Dismiss',
  uploads: 'Being uploaded',
  uploading: (name: string) => `Uploading ${name}`,
  uploadOf: (sent: string, total: string) => `${sent} of ${total}`,
  uploadQueued: 'Waiting',
  uploadDone: 'Uploaded',
  uploadWaits: (time: string) => `The limit for uploads is reached. It goes on in ${time}.`,
  uploadHeld: 'Goes on when the connection is back.',
  cancelUpload: 'Cancel',
  cancelUploadLabel: 'Cancel and go back to writing this message',
  retry: 'Try again',
  editAgain: 'Back to writing',
};
