/**
 * Adds what the client uses and the oldest supported browsers lack (docs/browsers.md). Imported before anything else, because
 * classes name their methods when they are defined.
 */

// The bundler's own code for `using` falls back to the same symbols.
for (const name of ['dispose', 'asyncDispose']) {
  if (Reflect.has(Symbol, name)) continue;
  Object.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
}
