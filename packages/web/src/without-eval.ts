// Before any schema is made: the schema library would try to make code of them, which the page's policy forbids.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
