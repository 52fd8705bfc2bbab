export { Secret } from './secret.ts';
export {
  addSettings,
  findSetting,
  findSettings,
  findSettingsOf,
  holdSetting,
  lockSetting,
  removeSetting,
  tryLockSetting,
  writeSettings,
} from './store.ts';
