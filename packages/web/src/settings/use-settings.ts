import { requiredContext } from '../lib/required-context.ts';
import type { Settings } from './settings.ts';

const { Provider, useValue } = requiredContext<Settings>();

/** Provides views with the settings. */
export const SettingsProvider = Provider;

/** The reader's choices. */
export const useSettings = useValue;
