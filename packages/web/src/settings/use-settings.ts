import { requiredContext } from '../lib/required-context.ts';
import type { Settings } from './settings.ts';

const { Provider, useValue } = requiredContext<Settings>();

/** Where views find the settings. */
export const SettingsProvider = Provider;

/** The reader's choices. */
export const useSettings = useValue;
