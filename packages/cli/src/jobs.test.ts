import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { expect, test } from 'bun:test';
import { run } from './run.ts';

test('[JB6] jobs are listed and removed, and only failed ones can be retried', async () => {
  await using data = await startTestInstance();
  await data.stop();
  const hearth = async (...words: readonly string[]) => {
    const written = { stdout: '', stderr: '' };
    const code = await run(['jobs', ...words], {
      env: { LOG_LEVEL: 'silent' },
      workingDir: data.folder,
      print: (text) => (written.stdout += text),
      warn: (text) => (written.stderr += text),
      streams: process,
      listenForStop: () => AbortSignal.abort(),
    });
    return { code, ...written };
  };
  const [titles = '', ...lines] = (await hearth('list')).stdout.split('\n');
  expect(titles).toMatch(/^ID +KIND +STATE +DUE +ATTEMPTS +ERROR$/);
  const shape = /^sweep-failed-jobs +sweep-failed-jobs +waiting +\d{4}-.* UTC +0/;
  expect(lines).toContainEqual(expect.stringMatching(shape));
  const listed: { readonly id: string; readonly due_at: number }[] = JSON.parse(
    (await hearth('list', '--json')).stdout,
  );
  const due = { state: 'waiting', due_at: expect.any(Number), attempts: 0 };
  for (const id of ['sweep-failed-jobs', 'sweep-guesses', 'sweep-mail-codes', 'sweep-exports']) {
    expect(listed).toContainEqual(expect.objectContaining({ id, ...due }));
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${id} `)));
  }
  // The start of an instance adds them one after another, often in the same millisecond.
  expect(listed).toEqual(listed.toSorted((one, other) => one.due_at - other.due_at));
  expect((await hearth('list', '--failed')).stdout).toBe('There are no jobs.\n');
  expect(await hearth('retry', 'sweep-failed-jobs')).toMatchObject({
    code: 1,
    stderr: 'hearth: there is no failed job sweep-failed-jobs: see hearth jobs list\n',
  });
  expect((await hearth('remove', 'sweep-failed-jobs')).stdout).toBe(
    'Removed job sweep-failed-jobs\n',
  );
  expect(JSON.parse((await hearth('remove', 'sweep-guesses', '--json')).stdout)).toEqual({
    id: 'sweep-guesses',
  });
  expect(await hearth('remove', 'sweep-failed-jobs')).toMatchObject({
    code: 1,
    stderr: 'hearth: there is no job sweep-failed-jobs: see hearth jobs list\n',
  });
});
