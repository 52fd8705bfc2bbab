// In a module of their own, because the schemas and their library take as long to load as the runtime itself.
export * from './object-schemas.ts';
export * from './server-events.ts';
