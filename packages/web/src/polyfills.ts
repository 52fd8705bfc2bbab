/**
 * What the oldest supported browsers lack, and the client uses (docs/browsers.md). Imported before anything else, because
 * classes name their methods when they are defined.
 */

// The bundler's own code for `using` falls back to the same symbols.
for (const name of ['dispose', 'asyncDispose']) {
  if (Reflect.has(Symbol, name)) continue;
  Object.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
}
