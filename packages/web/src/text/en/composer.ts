/** The texts about writing and sending. */
export const enComposer = {
  label: 'Message',
  placeholder: (name: string) => `Write to ${name}`,
  send: 'Send',
  attach: 'Add files',
  drop: 'Drop files to add them to your message',
  charactersLeft: (count: number, text: string) =>
    count === 1 ? '1 character left' : `${text} characters left`,
  charactersOver: (count: number, text: string) =>
    count === 1 ? '1 character too many' : `${text} characters too many`,
  tooLong: 'The message is too long to send. Shorten it or send it in parts.',
  tooLongWithFiles:
    'With the addresses of its files, the message is too long to send. Shorten it or send the files separately.',
  tooMany: 'Too many messages are already waiting. This one stays here until some are sent.',
  sendAgainIn: (time: string) => `You can send again in ${time}. What you send waits until then.`,
  files: 'Files of this message',
  removeFile: (name: string) => `Remove ${name}`,
  spoiler: 'Spoiler',
  spoilerHint: (name: string) => `Hide ${name} until it is clicked`,
  fileEmpty: (name: string) => `${name} was not added: it is empty or a folder.`,
  fileTooBig: (name: string, size: string, limit: string) =>
    `${name} was not added: it has ${size}, and files here may have up to ${limit}.`,
  dismiss: 'Dismiss',
  uploads: 'Uploads',
  uploading: (name: string) => `Uploading ${name}`,
  uploadOf: (sent: string, total: string) => `${sent} of ${total}`,
  uploadQueued: 'Waiting',
  uploadDone: 'Uploaded',
  uploadWaits: (time: string) => `The upload limit is reached. Uploads continue in ${time}.`,
  uploadHeld: 'Continues when the connection is back.',
  cancelUpload: 'Cancel',
  cancelUploadLabel: 'Cancel and continue writing this message',
  retry: 'Try again',
  editAgain: 'Continue writing',
};
