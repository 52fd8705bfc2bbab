import { channelSchema, postSchema } from '@hearth/protocol/schemas';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { encodeForm, filePart, readFileData } from '@hearth/testing/clients/upload-form';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { silentDns } from '@hearth/testing/servers/silent-dns';
import { expect, test } from 'bun:test';

test('[OC5] while no name server answers for posted addresses, people register, upload and sign in', async () => {
  using silent = await silentDns();
  await using instance = await startTestInstance({ toml: 'registration = "open"' });
  const ada = await RestPerson.register(instance, 'ada');
  const garden = await ada.garden('garden');
  const given = { kind: 'posts', name: 'news' };
  const news = await ada.ok(channelSchema, 'POST', `/communities/${garden.id}/channels`, given);
  for (let number = 1; number <= 4; number += 1) {
    const body = { title: 'Silence', url: `http://h${number}.silent${number}.example/` };
    await ada.ok(postSchema, 'POST', `/channels/${news.id}/posts`, body);
  }
  for (let number = 1; number <= 4; number += 1) await silent.askedFor(`silent${number}`);

  const { body, contentType } = encodeForm(filePart('hello'));
  const headers = { 'Content-Type': contentType };
  const sent = await fetch(instance.addresses.files, { method: 'POST', headers, body });
  expect((await readFileData(sent)).metadata.type).toBe('text');
  expect((await RestPerson.register(instance, 'bob')).token).not.toBe('');
  expect((await RestPerson.signIn(instance, 'ada')).token).not.toBe('');
});
