// In a module of their own, because the schemas and their library take as long to load as the runtime itself.
export * from './capabilities.ts';
export * from './client-events.ts';
export * from './error-envelope.ts';
export * from './error-schemas.ts';
export * from './instance-info.ts';
export * from './media.ts';
export * from './messages.ts';
export * from './moderation.ts';
export * from './online.ts';
export * from './openapi.ts';
export * from './own-services.ts';
export * from './rate-limit-schemas.ts';
export * from './registration.ts';
export * from './server-events.ts';
export * from './text.ts';
export * from './uploads.ts';
export * from './users.ts';
