import { expect, test } from 'bun:test';
import { unknownVariables } from './unknown-variables.ts';

const ELSE = 'hearth start --help lists the known ones';

test.each([
  ['OPRISH_PROT', 'did you mean OPRISH_PORT?'],
  ['oprish_port', 'did you mean OPRISH_PORT?'],
  ['PANDEMONIUM_POTR', 'did you mean PANDEMONIUM_PORT?'],
  ['EFFIS_PORTS', 'did you mean EFFIS_PORT?'],
  ['OPRISH_MESSAGE_LIMIT', ELSE],
  ['HEARTH_LOG_LEVEL', 'did you mean LOG_LEVEL?'],
  ['HEARTH_PORT', ELSE],
])('[CF13] the variable %s is reported: %s', (name, hint) => {
  expect(unknownVariables({ [name]: 'secret', PATH: '/bin' })).toEqual([
    `${name}: unknown variable, ${hint}`,
  ]);
});

test('[CF13] known variables, those of commands and those of other programs are not reported', () => {
  const names = [
    'OPRISH_PORT',
    'AWS_REGION',
    'PATH',
    'PORT',
    'SMTP_HOST',
    'DATABASE_ULR',
    'HEARTH',
    'MY_HEARTH_URL',
    'HEARTH_ACCESS_CODE',
    'HEARTH_USER',
    'HEARTH_PASSWORD',
    'HEARTH_CODE',
  ];
  expect(unknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});

test('[CF13] variables that Kubernetes sets are not reported', () => {
  expect(
    unknownVariables({
      EFFIS_SERVICE_HOST: '10.0.0.1',
      EFFIS_SERVICE_PORT_HTTP: '7161',
      EFFIS_PORT_7161_TCP: 'tcp://10.0.0.1:7161',
      EFFIS_PORT_7161_TCP_ADDR: '10.0.0.1',
      HEARTH_PORT: 'tcp://10.0.0.1:7162',
      HEARTH_WEB_PORT: 'tcp://10.0.0.1:7162',
    }),
  ).toEqual([]);
});
