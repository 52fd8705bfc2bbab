/** Removes the symbols of `using`. No property of `Symbol` can be deleted, so it becomes another function. */
export const WITHOUT_DISPOSING = `{
  const known = Symbol;
  const { dispose, asyncDispose, ...others } = Object.getOwnPropertyDescriptors(known);
  globalThis.Symbol = Object.defineProperties((description) => known(description), others);
}`;
