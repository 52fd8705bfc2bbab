import { MOST_ATTACHMENTS, type FileData } from '@hearth/protocol';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readHistory } from '@hearth/testing/clients/history-client';
import { photograph } from '@hearth/testing/clients/photograph';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { upload } from '@hearth/testing/clients/upload-form';
import { removingProcess } from '@hearth/testing/instances/remove-uploads';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

let instance: TestInstance;
let files: string;
let picture: FileData;
let text: FileData;

beforeAll(async () => {
  instance = await startTestInstance();
  files = instance.addresses.files;
  picture = await upload(files, await photograph({ width: 64, height: 48 }), 'a.jpg');
  text = await upload(files, 'good evening', 'a.txt');
});

afterAll(() => instance[Symbol.asyncDispose]());

const newest = async () => (await readHistory(instance, '?limit=1'))[0];

describe('the attachments of a message', () => {
  test('[LB26] attachments are the files that a message names, in events of profile 1 and in the history, and nowhere else', async () => {
    const plain = await GatewayClient.connect(instance.addresses.gateway);
    using profile = await ProfileClient.greeted(instance);
    const content = `look\n${files}/${picture.id}\nand ${files}/attachments/${text.id}/download.`;
    const answer = await fetch(`${instance.addresses.rest}/messages`, {
      method: 'POST',
      body: JSON.stringify({ author: 'someone', content }),
    });
    expect(await answer.json()).toEqual({ author: 'someone', content });
    const attachments = [picture, text];
    expect(await newest()).toMatchObject({ content, attachments });
    await profile.raw.until(() => profile.payloads.length > 1);
    expect(profile.payloads[1]).toMatchObject({
      op: 'MESSAGE_CREATE',
      d: { content, attachments },
    });
    await plain.until(() => plain.received.length > 0);
    expect(plain.received).toEqual([eventOf(content)]);
    plain.close();
  });

  test.each([
    ['by its address', (id: string) => `${files}/${id}`],
    ['in brackets', (id: string) => `<${files}/${id}>`],
    ['in a sentence', (id: string) => `see ${files}/attachments/${id}, please`],
    ['by the address of its picture', (id: string) => `${files}/media/${id}?size=400`],
  ])('[LB26] attachments may be named %s', async (_how, contentOf) => {
    await postMessage(instance, contentOf(picture.id));
    expect((await newest())?.attachments).toEqual([picture]);
  });

  test.each([
    ['another host', (id: string) => `http://127.0.0.1:1/${id}`],
    ['a longer number', (id: string) => `${files}/${id}0`],
    ['an unknown file', () => `${files}/1`],
    ['another bucket', (id: string) => `${files}/static/${id}`],
    ['no identifier', () => `${files}/0${'9'.repeat(60)}`],
    ['a name', (id: string) => `${files}/${id}a`],
    ['nothing', () => `${files}/`],
  ])('[LB26] attachments are left out if a message names %s', async (_what, contentOf) => {
    const content = contentOf(picture.id);
    await postMessage(instance, content);
    const message = await newest();
    expect(message?.content).toBe(content);
    expect(message).not.toHaveProperty('attachments');
  });

  test('[LB26] attachments are each listed once, and at most 20', async () => {
    const ids: string[] = [];
    for (let count = 0; count < MOST_ATTACHMENTS + 2; count += 1) {
      ids.push((await upload(files, `file ${count}`, 'a.txt')).id);
    }
    const lines = [...ids.slice(0, 3), ...ids].map((id) => `${files}/${id}`);
    await postMessage(instance, lines.join('\n'));
    const attachments = (await newest())?.attachments ?? [];
    expect(attachments.map(({ id }) => id)).toEqual(ids.slice(0, MOST_ATTACHMENTS));
  });

  test('[LB26] that another process removes are no longer listed', async () => {
    const { id } = await upload(files, 'soon removed', 'a.txt');
    await postMessage(instance, `${files}/${id}`);
    expect((await newest())?.attachments).toHaveLength(1);
    await using owner = removingProcess(instance.folder);
    expect(await owner.says()).toBe('ready');
    await owner.send(id);
    expect(await owner.says()).toBe(id);
    expect(await newest()).not.toHaveProperty('attachments');
  });
});
