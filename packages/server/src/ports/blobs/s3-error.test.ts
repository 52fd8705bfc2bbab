import { expect, test } from 'bun:test';
import { clientError } from './s3-error.ts';

const failed = (code: string) => clientError('a list', Object.assign(new Error('x'), { code }));

test.each(['NoSuchBucket', 'AccessDenied', 'SignatureDoesNotMatch'])(
  'an error code of S3 is reported as its answer: %s',
  (code) => {
    const { message, outcome } = failed(code);
    expect({ message, outcome }).toEqual({
      message: `S3 answered ${code} to a list`,
      outcome: 'refused',
    });
  },
);

test.each(['TLSHandshakeFailed', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
  'an error of the connection is not reported as an answer of S3: %s',
  (code) => {
    const { message, outcome } = failed(code);
    expect({ message, outcome }).toEqual({
      message: `S3 cannot be reached for a list: ${code}`,
      outcome: 'refused',
    });
  },
);
