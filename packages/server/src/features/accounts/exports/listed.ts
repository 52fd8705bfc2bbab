/** JSON objects as a list, a line for each. */
export async function* listed(objects: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[';
  for await (const object of objects) {
    yield `${separator}\n${JSON.stringify(object)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}
