/** Columns of a channel to which nobody has posted. */
export const NEW_CHANNEL_ROW = {
  topic: '',
  category_id: '',
  position: 0,
  slow_mode_seconds: 0,
  post_settings: '',
  deleted_at_ms: 0,
} as const;

/** Columns of the turns of a channel to which nobody has posted. */
export const NEW_TURN_ROW = {
  number: 0,
  last_id: '',
  last_at_ms: 0,
  version: 1,
  closed: 0,
} as const;
