import { connect, NetworkError, UnexpectedAnswerError } from '@hearth/sdk';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { describe, expect, test } from 'bun:test';
import { rightService } from './wrong-service.ts';

/** Returns an answer of a service that is not the REST service. */
function envelope(status: number, message: string): Response {
  return Response.json({ type: 'Error', status, message, data: {} }, { status });
}

async function triedAt(url: string, restPort: number): Promise<string | undefined> {
  const error: unknown = await connect(url).catch((thrown: unknown) => thrown);
  return await rightService(url, error, restPort);
}

describe('[OP56] instead of another address, the line names', () => {
  test.each([
    ['pandemonium_url', 'ws', 426, 'gateway'],
    ['effis_url', 'http', 404, 'file service'],
    ['effis_url', 'http', 405, 'file service'],
  ])('the address of the instance whose %s it is', async (key, scheme, status, name) => {
    await using other = startDocumentedServer({ answer: () => envelope(status, 'no') });
    const { port } = new URL(other.url);
    const info = { [key]: `${scheme}://127.0.0.1:${port}`, instance_name: 'Home' };
    await using rest = startDocumentedServer({ info });
    const restPort = Number(new URL(rest.url).port);
    const tried = await triedAt(other.url, restPort);
    expect(tried).toBe(`this is the ${name} of Home: try ${rest.url}`);
  });

  test("the address of Hearth's REST service, from its other services", async () => {
    await using instance = await startTestInstance();
    const { rest, gateway, files } = instance.addresses;
    const restPort = Number(new URL(rest).port);
    for (const [url, name] of [
      [gateway.replace('ws', 'http'), 'gateway'],
      [files, 'file service'],
    ] as const) {
      expect(await triedAt(url, restPort)).toBe(`this is the ${name} of Hearth: try ${rest}`);
    }
  });

  test('an example if nothing is found there', async () => {
    await using page = startDocumentedServer({ answer: () => new Response('<h1>hi</h1>') });
    expect(await triedAt(page.url, 1)).toBe(
      'try the address of the REST service, such as http://127.0.0.1:1, or that of the web client',
    );
  });

  test('an example if an unrelated instance is found there', async () => {
    await using page = startDocumentedServer({ answer: () => new Response('<h1>hi</h1>') });
    await using rest = startDocumentedServer();
    const restPort = Number(new URL(rest.url).port);
    expect(await triedAt(page.url, restPort)).toStartWith('try the address of the REST service');
  });

  test('nothing after an error that is not about the address', async () => {
    for (const error of [new NetworkError('lost'), new UnexpectedAnswerError('set public_url')]) {
      expect(await rightService('h:1', error, 1)).toBeUndefined();
    }
  });
});
