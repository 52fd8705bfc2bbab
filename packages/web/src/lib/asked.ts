/** The state of something that is asked for. */
export type Asked<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'there'; readonly value: Value }
  | { readonly state: 'failed'; readonly error: unknown };
