import { effect, signal, type Signal } from '@preact/signals';
import type { Language } from '../text/texts.ts';
import { readStored, writeStored } from '../lib/storage.ts';

/** The values of a setting; the first is the default. */
export const SETTING_VALUES = {
  theme: ['system', 'light', 'dark'],
  language: ['system', 'en', 'de'],
  motion: ['system', 'off'],
  density: ['cosy', 'compact'],
} as const;

/** A colour scheme, or that of the system. */
export type Theme = (typeof SETTING_VALUES.theme)[number];

/** A choice whether things move. */
export type Motion = (typeof SETTING_VALUES.motion)[number];

/** A choice how close together messages are. */
export type Density = (typeof SETTING_VALUES.density)[number];

/** The reader's choices, kept in this browser. */
export class Settings implements Disposable {
  /** The author of messages written here; empty until it is chosen. */
  readonly name: Signal<string>;
  readonly theme: Signal<Theme>;
  readonly language: Signal<Language | 'system'>;
  readonly notifications: Signal<boolean>;
  /** True if only messages that mention the reader are announced. */
  readonly mentionsOnly: Signal<boolean>;
  readonly sound: Signal<boolean>;
  readonly motion: Signal<Motion>;
  readonly density: Signal<Density>;
  readonly #stopped: readonly (() => void)[];

  /** `storage` is the browser's; undefined if it has none or forbids it, and then nothing is kept. */
  constructor(storage: Storage | undefined) {
    const kept = <Value>(key: string, initial: Value, parse: (text: string) => Value) => {
      const text = readStored(storage, `hearth.${key}`);
      return signal(text === undefined ? initial : parse(text));
    };
    this.name = kept('name', '', (text) => text);
    this.theme = kept('theme', 'system', oneOf(SETTING_VALUES.theme));
    this.language = kept('language', 'system', oneOf(SETTING_VALUES.language));
    this.motion = kept('motion', 'system', oneOf(SETTING_VALUES.motion));
    this.density = kept('density', 'cosy', oneOf(SETTING_VALUES.density));
    const isOn = (text: string) => text === 'true';
    this.notifications = kept('notifications', false, isOn);
    this.mentionsOnly = kept('mentionsOnly', false, isOn);
    this.sound = kept('sound', false, isOn);
    this.#stopped = Object.entries({
      name: this.name,
      theme: this.theme,
      language: this.language,
      motion: this.motion,
      density: this.density,
      notifications: this.notifications,
      mentionsOnly: this.mentionsOnly,
      sound: this.sound,
    }).map(([key, value]) =>
      effect(() => {
        writeStored(storage, `hearth.${key}`, String(value.value));
      }),
    );
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stopped) stop();
  }
}

function oneOf<Value extends string>(
  values: readonly [Value, ...Value[]],
): (text: string) => Value {
  return (text) => values.find((value) => value === text) ?? values[0];
}
