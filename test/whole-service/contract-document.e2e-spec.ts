import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/platform/config/load-config';
import { notificationOf } from '../../src/notify/notifications/notification-texts';
import { NOTIFICATION_CATEGORIES } from '../../src/notify/notifications/notification.entity';
import { OPERATORS_OF } from '../../src/cleanup/rules/rule';
import { ADDITIVE_ROUTES, ROUTES } from '../contract/index';
import { CONFIGURATION_DEFAULTS, PRESETS, PRIVATE_NETWORKS, VARIABLES } from '../contract/configuration';
import { hasContract, writtenRoutes, writtenStatuses } from '../contract/contract-text';
import { ContractDocument } from '../contract/document';
import { CATEGORIES, EVENT_DATA } from '../contract/events';
import { JOB_KINDS } from '../contract/jobs';
import { OPERATORS } from '../contract/rules';

type Told = Parameters<typeof notificationOf>[0];

const documented = Object.entries(ROUTES).filter(([, route]) => !route.undocumented);

describe('openapi.json and the contract', () => {
  const sut = ContractDocument.read();

  it('should have the same routes', () => {
    const expected = [...documented.map(([name]) => name), ...ADDITIVE_ROUTES];
    expect(sut.routes().sort()).toEqual(expected.sort());
  });

  it.each(documented)('should say the same of %s', (name, route) => {
    expect(sut.differences(name, route)).toEqual([]);
  });
});

describe('The configuration and the contract', () => {
  const SECRETS = { JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: 'ab'.repeat(32) };
  const PRODUCTION = {
    ...SECRETS,
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://db/mailroom',
    REDIS_URL: 'redis://redis',
  };

  it('should have the same defaults', () => {
    expect(loadConfig(SECRETS)).toMatchObject(CONFIGURATION_DEFAULTS);
    expect(loadConfig(PRODUCTION)).toMatchObject(CONFIGURATION_DEFAULTS);
    expect({
      production: loadConfig(PRODUCTION).egress.allowPrivateNetworks,
      development: loadConfig(SECRETS).egress.allowPrivateNetworks,
    }).toEqual(PRIVATE_NETWORKS);
  });

  it.each(Object.entries(PRESETS))('should have the preset %s', (preset, limits) => {
    expect(loadConfig({ ...SECRETS, PROVIDER_QUOTA_PRESET: preset }).provider).toMatchObject(limits);
  });

  it.each(VARIABLES)('should explain %s', (name) => {
    const example = readFileSync(join(__dirname, '../../.env.example'), 'utf8');
    expect(example).toMatch(new RegExp(`^#.*\\n(?:[A-Z_]+=.*\\n)*${name}=`, 'm'));
  });
});

describe('The names of the contract', () => {
  it('should be those of events and of the notifications that go with them', () => {
    expect([...NOTIFICATION_CATEGORIES].sort()).toEqual(Object.keys(CATEGORIES).sort());
    for (const [category, event] of Object.entries(CATEGORIES))
      if (event) expect(notificationOf({ type: event, data: EVENT_DATA[event] } as Told).type).toBe(category);
  });

  it('should be those of the fields and operators of rules', () => {
    expect(OPERATORS_OF).toEqual(OPERATORS);
  });

  it('should be those of kinds of jobs, each started by a route', () => {
    const started = Object.values(ROUTES).flatMap(({ starts = [] }) => starts);
    expect(started.sort()).toEqual([...JOB_KINDS].sort());
  });
});

/** Beside a checkout of the whole project, so that the tables cannot lag behind. */
(hasContract() ? describe : describe.skip)('The tables and the contract', () => {
  it('should have the same routes', () => {
    expect(writtenRoutes().length).toBeGreaterThan(100);
    expect(writtenRoutes().filter((route) => !(route in ROUTES))).toEqual([]);
  });

  it('should have the same statuses', () => {
    expect(writtenStatuses().length).toBeGreaterThan(35);
    expect(writtenStatuses().filter(({ route, status }) => ROUTES[route]?.answers !== status)).toEqual([]);
  });
});
