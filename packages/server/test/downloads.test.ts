import { downloadsContract } from './support/downloads.contract.ts';
import { addStaticFile } from './support/static-files.ts';
import { startTestInstance } from './support/test-instance.ts';

downloadsContract('of an instance that keeps contents on its disk:', async () => {
  const instance = await startTestInstance();
  return {
    files: instance.addresses.files,
    addStatic: async (name, bytes) => void (await addStaticFile(instance, name, bytes)),
    [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
  };
});
