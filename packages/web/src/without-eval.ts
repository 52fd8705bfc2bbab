// Runs before any schema is created: the schema library would generate code for it, which the page's policy forbids.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
