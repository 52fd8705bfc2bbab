import { downloadsContract } from '@hearth/testing/instances/downloads.contract';
import { addStaticFile } from '@hearth/testing/instances/static-files';
import { startTestInstance } from '@hearth/testing/instances/test-instance';

downloadsContract('of an instance that keeps contents on its disk:', async () => {
  const instance = await startTestInstance();
  return {
    files: instance.addresses.files,
    addStatic: async (name, bytes) => void (await addStaticFile(instance, name, bytes)),
    [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
  };
});
