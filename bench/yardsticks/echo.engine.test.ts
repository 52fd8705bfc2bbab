import { expect, test } from 'bun:test';
import { MESSAGE_BODY } from '../load/message.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { bunYardstick } from '../subjects/yardstick.ts';

/** The names of the headers, and the body without the details that differ between machines. */
async function shape(response: Response) {
  const text = await response.text();
  return {
    status: response.status,
    headers: [...response.headers.keys()].toSorted(),
    body: text.replaceAll(/:\d{4,5}"/g, ':0"'),
  };
}

test.each([[[]], [['prepared']]])(
  'the echo %p sends as many bytes and the same headers as the instance',
  async (args) => {
    await using ours = await HEARTH.start();
    await using echo = await bunYardstick('echo', 'echo.ts', ...args).start();
    const post = { method: 'POST', body: MESSAGE_BODY };
    for (const [path, init] of [['/', {}] as const, ['/messages', post] as const]) {
      const [expected, found] = await Promise.all(
        [ours, echo].map(async ({ ports }) =>
          shape(await fetch(`http://127.0.0.1:${ports.rest}${path}`, init)),
        ),
      );
      expect(found).toEqual(expected);
    }
  },
);
