import { expect, test } from 'bun:test';
import { parseBlobsUrl, type BlobsAddress } from './blobs-url.ts';

const plain: BlobsAddress = {
  bucket: 'hearth',
  prefix: '',
  endpoint: undefined,
  region: undefined,
};

test.each<[text: string, address: BlobsAddress]>([
  ['s3://hearth', plain],
  ['s3://hearth/', plain],
  ['s3://hearth?', plain],
  ['s3://my-bucket.example', { ...plain, bucket: 'my-bucket.example' }],
  ['s3://hearth/one', { ...plain, prefix: 'one' }],
  ['s3://hearth/one/two-2/', { ...plain, prefix: 'one/two-2' }],
  ['s3://hearth?region=eu-central-1', { ...plain, region: 'eu-central-1' }],
  [
    's3://hearth?endpoint=http://127.0.0.1:8333&region=local',
    { ...plain, endpoint: 'http://127.0.0.1:8333', region: 'local' },
  ],
  [
    's3://hearth/a?region=auto&endpoint=https%3A%2F%2Fs3.example.org%2F',
    { bucket: 'hearth', prefix: 'a', endpoint: 'https://s3.example.org', region: 'auto' },
  ],
  ['s3://hearth?endpoint=http://[::1]:8333', { ...plain, endpoint: 'http://[::1]:8333' }],
])('%j is a valid address', (text, address) => {
  expect(parseBlobsUrl(text)).toEqual(address);
});

const endpointProblem = /endpoint other than/;

test.each<[text: string, problem: RegExp]>([
  ['', /does not begin with s3/],
  ['hearth', /does not begin with s3/],
  ['s3:hearth', /does not begin with s3/],
  ['https://hearth', /does not begin with s3/],
  ['s3://', /does not begin with s3/],
  ['s3:///prefix', /does not begin with s3/],
  ['s3://ab', /does not begin with s3/],
  ['s3://-hearth', /does not begin with s3/],
  ['s3://hearth:9000', /does not begin with s3/],
  ['s3://hearth#a', /does not begin with s3/],
  ['s3://key:secret@hearth', /contains keys/],
  ['s3://hearth/a//b', /cannot be a prefix/],
  ['s3://hearth/../other', /cannot be a prefix/],
  ['s3://hearth/a b', /cannot be a prefix/],
  ['s3://hearth?endpont=http://a', /parameter other than endpoint and region/],
  ['s3://hearth?accessKeyId=secret', /parameter other than/],
  ['s3://hearth?region=a&region=b', /twice/],
  ['s3://hearth?region=', /does not look like/],
  ['s3://hearth?region=a/b', /does not look like/],
  ['s3://hearth?endpoint=', endpointProblem],
  ['s3://hearth?endpoint=127.0.0.1:8333', endpointProblem],
  ['s3://hearth?endpoint=ftp://a', endpointProblem],
  ['s3://hearth?endpoint=http://a/b', endpointProblem],
  ['s3://hearth?endpoint=http://key:secret@a', endpointProblem],
  ['s3://hearth?endpoint=http://a?b=c', endpointProblem],
  ['s3://hearth?endpoint=http://a%23', endpointProblem],
])('%j is refused, and the error does not contain the secret', (text, problem) => {
  const said = parseBlobsUrl(text);
  expect(said).toMatch(problem);
  expect(said).not.toMatch(/secret/);
});
