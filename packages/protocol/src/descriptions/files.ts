import type { NounDescription } from './noun.ts';

export const files: NounDescription = {
  title: 'Files',
  about:
    'These are the routes of the file service, whose address is `effis_url` of `GET /`. A file is uploaded first, as `multipart/form-data`, and then its id is attached to a message or post, or its address is written into a text. A file that was uploaded with a token has a `key`, and is served only with `?key=<key>` until it is attached or made public.',
  tags: ['uploads', 'statics', 'exports'],
  fields: {
    id: 'The file.',
    name: 'The name of the file.',
    bucket: 'The kind of the file: `attachments`.',
    key: 'What only people have who were given the address: the `key` of a file, or of an archive.',
    metadata: 'What is known about its content.',
    size: 'The length in bytes.',
    placeholder: 'A blurred version of a picture: a ThumbHash in base64.',
    spoiler: 'Whether it is hidden until the reader wants to see it.',
  },
  objects: {
    fileData: [
      'A stored file.',
      {
        name: 'The name that it was uploaded with.',
        bucket: 'Where it was uploaded to: `attachments`.',
        key: 'What the file is fetched with, as `?key=<key>`, until everyone may fetch it.',
      },
    ],
    fileMetadata: [
      'What is known about the content of a file.',
      {
        type: '`text`, `image`, `video` or `other`.',
        width: 'The width in pixels, as it is shown.',
        height: 'The height in pixels, as it is shown.',
      },
    ],
    attachedFile: [
      'A file that belongs to a message or post.',
      { alt: 'What the file shows, for people who do not see it.' },
    ],
    fileQuery: 'The query of a file.',
    mediaQuery: [
      'How a file is fetched to be shown.',
      {
        size: 'The longest side of a smaller version of a picture, in pixels. Without it, the answer is the file itself.',
      },
    ],
    uploadForm: [
      'The form of an upload. Its parts may come in any order.',
      {
        file: 'The content, with its name.',
        strip:
          'Whether metadata, such as where a photograph was taken, is removed before the file is stored.',
      },
    ],
  },
};
