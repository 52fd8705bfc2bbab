import { expect, test } from 'bun:test';
import { accountPayload } from './payload.ts';

test('[SK39][GC20] a change of somebody who is watched is not taken for one of the own user', () => {
  const d = { id: '5', username: 'deleted', deleted: true };
  const news = { op: 'USER_UPDATE', d };
  expect(accountPayload(JSON.stringify(news))).toMatchObject({ op: 'unknown', raw: news });
  const own = { op: 'USER_UPDATE', t: 'u:5', s: 4, d };
  expect(accountPayload(JSON.stringify(own))).toMatchObject({ op: 'broken', t: 'u:5', s: 4 });
});
