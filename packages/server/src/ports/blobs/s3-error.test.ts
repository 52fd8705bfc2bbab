import { expect, test } from 'bun:test';
import { clientError } from './s3-error.ts';

const failed = (code: string) => clientError('a list', Object.assign(new Error('x'), { code }));

test.each(['NoSuchBucket', 'AccessDenied', 'SignatureDoesNotMatch'])(
  'what S3 answered is told as its answer: %s',
  (code) => {
    const { message, outcome } = failed(code);
    expect({ message, outcome }).toEqual({
      message: `S3 answered ${code} to a list`,
      outcome: 'refused',
    });
  },
);

test.each(['TLSHandshakeFailed', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
  'where no connection can be made S3 has answered nothing, and would not the next time: %s',
  (code) => {
    const { message, outcome } = failed(code);
    expect({ message, outcome }).toEqual({
      message: `S3 cannot be reached for a list: ${code}`,
      outcome: 'refused',
    });
  },
);
