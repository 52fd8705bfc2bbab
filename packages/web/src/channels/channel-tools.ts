import { signal } from '@preact/signals';
import { MOST_DELETED_MESSAGES, type Id } from '@hearth/protocol/schemas';
