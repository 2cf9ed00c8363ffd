import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasText, setLanguage } from '../../i18n';
import { loadTexts } from '../../i18n/texts';
import { failureText, factTexts } from './audit-text';
import { shownLabel } from '../labels/label-name';

const ROOT = join(import.meta.dirname, '../../../..');

interface Property {
  readonly enum?: readonly (string | null)[];
  readonly items?: Property;
  readonly allOf?: readonly Property[];
  readonly $ref?: string;
}
type SchemaList = Record<string, Property & { readonly properties?: Record<string, Property> }>;

/** Facts whose values come from a request, with the fields of requests that hold them. */
const FROM_REQUESTS = [
  ['mode', 'UpdateArchivingDto', 'mode'],
  ['mode', 'SetOffloadScheduleDto', 'mode'],
  ['action', 'StartBulkOperationDto', 'action'],
  ['action', 'RuleActionDto', 'type'],
  ['scope', 'CreateApiKeyDto', 'scope'],
  ['role', 'UpdateUserDto', 'role'],
  ['type', 'CreateWebhookDto', 'type'],
  ['events', 'CreateWebhookDto', 'events'],
  ['format', 'ExportMailboxDto', 'format'],
  ['format', 'PrepareExportDto', 'format'],
] as const;

/** Facts whose values a type or a condition names in the sources of the service. */
const TYPES: readonly (readonly [fact: string, declaration: RegExp])[] = [
  ['method', /type SignInMethod =([^;]*);/],
  ['by', /type LinkedBy =([^;]*);/],
  ['evidence', /evidence: ('history'[^;]*);/],
  ['code', /type OidcRefusal =([^;]*);/],
  ['code', /code: ('consent-denied'[^,]*),/],
  // Other starts are not recorded.
  ['trigger', /trigger === ('manual') \? \{/],
  ['scope', /scope === ('everything') \? \{/],
];

/** Settings that acts list as changed, with the requests that change them. */
const CHANGES = [
  ['changed', 'UpdateArchivingDto'],
  ['changed', 'UpdateUserDto'],
  ['changed', 'UpdateRetentionPolicyDto'],
  ['fields', 'UpdateWebhookDto'],
] as const;

function serviceSources(): string {
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
    .join('\n');
}

/** Words that are the same in English and in French. */
const SAME_WORDS: readonly string[] = [
  'format: mbox',
  'method: invitation',
  'source: mbox',
  'changed: mode',
  'changed: description',
  'changed: conditions',
  'changed: action',
];

const quoted = (text: string): string[] => [...text.matchAll(/'([a-z][\w.-]*)'/gi)].map(([, word]) => word!);

/** The bodies of objects that are called `details`. The facts of an act are plain values: objects with `new` are something else. */
const detailsIn = (sources: string): string[] =>
  [...sources.matchAll(/\bdetails(?:: | = )\{([^{}]*)\}/g)]
    .map(([, body]) => body!)
    .filter((body) => !body.includes('new '));

function schemasOfService(): SchemaList {
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
    components: { schemas: SchemaList };
  };
  return document.components.schemas;
}

/** The values of an enumeration, wherever the document has put them. */
function valuesOf(schemas: SchemaList, property: Property): string[] {
  const { enum: own = [], items, allOf = [], $ref } = property;
  const referred = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1)!];
  const parts = [items, referred, ...allOf].filter((part) => part !== undefined);
  return [...own.filter((value) => value !== null), ...parts.flatMap((part) => valuesOf(schemas, part))];
}

/** Facts and the words that the service writes as their values, as far as its sources and its document name them. */
function writtenValues(): string[][] {
  const schemas = schemasOfService();
  const sources = serviceSources();
  const requested = FROM_REQUESTS.flatMap(([fact, schema, field]) =>
    valuesOf(schemas, schemas[schema]!.properties![field]!).map((value) => [fact, value]),
  );
  const typed = TYPES.flatMap(([fact, declaration]) =>
    quoted(declaration.exec(sources)?.[1] ?? '').map((value) => [fact, value]),
  );
  const literal = detailsIn(sources).flatMap((body) =>
    [...body.matchAll(/(\w+): ([^,]*'[^,]*)/g)].flatMap(([, fact, value]) =>
      // Values that are only compared are not written.
      quoted(value!.replace(/[!=]==? '[^']*'/g, '')).map((word) => [fact!, word]),
    ),
  );
  const changed = CHANGES.flatMap(([fact, schema]) =>
    Object.keys(schemas[schema]!.properties!).map((setting) => [fact, setting]),
  );
  // The service lists the settings of a rule under its own names for them.
  const ofRules = /const changes: RuleChanges = \{(.*?)\n {4}\};/s.exec(sources)?.[1] ?? '';
  const changedInRules = [...ofRules.matchAll(/&& \{ (\w+):/g)].map(([, setting]) => ['changed', setting!]);
  return [...requested, ...typed, ...literal, ...changed, ...changedInRules];
}

/** The names of facts in the sources of the service. */
function writtenFacts(): string[] {
  const sources = serviceSources();
  const picked = [...sources.matchAll(/pickFacts\(\s*result,([^)]*)\)/g)].flatMap(([, names]) =>
    quoted(names!),
  );
  const counted = quoted(/COUNT_OF:[^{]*\{([^}]*)\}/.exec(sources)?.[1] ?? '');
  const objects = detailsIn(sources).flatMap((body) =>
    body.split(',').flatMap((part) => /^\s*(\w+)(?::|\s*$)/.exec(part)?.[1] ?? []),
  );
  return [...new Set([...picked, ...counted, ...objects])].filter((name) => /^\w+$/.test(name));
}

describe('audit texts', () => {
  beforeEach(async () => {
    await loadTexts('audit');
    await loadTexts('jobFailures');
    await loadTexts('mailboxes');
    await loadTexts('singleSignOn');
    await loadTexts('webhooks');
  });
  afterEach(() => setLanguage('en'));

  it('should have a text for every word that the service uses as a value', async () => {
    const written = writtenValues();
    const found = written.map((one) => one.join(': '));
    // One of each place that is read.
    expect(found).toEqual(
      expect.arrayContaining([
        'mode: watch',
        'events: job.failed',
        'method: password-and-code',
        'by: email',
        'evidence: state',
        'code: oidc-token-invalid',
        'code: session-mismatch',
        'trigger: manual',
        'scope: everything',
        'source: mbox',
        'place: object-store',
        'of: address',
        'changed: exclusions',
        'changed: description',
      ]),
    );
    // A word of the service would be the same in both languages.
    const same = (): string[] =>
      written
        .filter(([fact, value]) => factTexts({ [fact!]: value }).some((text) => text.endsWith(` ${value}`)))
        .map(([fact, value]) => `${fact}: ${value}`);
    const english = new Set(same());
    await setLanguage('fr');
    expect([...new Set(same())].filter((text) => english.has(text))).toEqual(SAME_WORDS);
  });

  it('should have a name for every field that jobs and actions record', () => {
    const facts = writtenFacts();
    // One of each place that is read.
    expect(facts).toEqual(expect.arrayContaining(['alreadyThere', 'labelGone', 'maxPerNight']));
    expect(facts.filter((fact) => !hasText(`audit.details.${fact}`))).toEqual([]);
  });

  it('should describe what was changed, and that something was switched off', () => {
    expect(factTexts({ mode: 'watch', paused: false })).toEqual(['mode: watch, copy nothing', 'paused: no']);
    expect(factTexts({ changed: ['label', 'is_active'], is_active: false, mode: 'keep' })).toEqual([
      'changed: label, permission to sign in',
      'may sign in: no',
      'mode: keep everything',
    ]);
  });

  it.each([
    ['plan-gone', 'The plan was deleted.', 'Le plan a été supprimé.'],
    ['provider-rejected', 'The mail provider refused this.', 'Le fournisseur de messagerie a refusé.'],
    ['api-key-scope', 'The API key may only read.', 'La clé d’API ne permet que de lire.'],
    ['imap-host-unknown', 'There is no server of this name.', 'Aucun serveur ne porte ce nom.'],
  ])('should explain why something failed: %s', async (code, english, french) => {
    expect(factTexts({ code })).toEqual([`reason: ${english}`]);
    expect(failureText({ code })).toBe(english);
    await setLanguage('fr');
    expect(factTexts({ reason: code })).toEqual([`raison\u00a0: ${french}`]);
  });

  it('should format values readably, without zero counts', () => {
    const facts = factTexts({ action: 'trash', count: 1_200, failed: 0, purge: false, planId: null, of: [] });
    expect(facts).toEqual(['action: move to the trash', 'messages: 1,200']);
    expect(factTexts({ purge: true, ofLater: 'x', code: 'invalid-credentials' })).toEqual([
      'with its archive: yes',
      'ofLater: x',
      'reason: The e-mail address or the password is wrong.',
    ]);
  });
});

describe('shownLabel', () => {
  it('should give the labels of the provider their usual names', async () => {
    await loadTexts('labelNames');
    expect(shownLabel({ id: 'CATEGORY_PROMOTIONS', name: 'CATEGORY_PROMOTIONS' })).toBe('Promotions');
    expect(shownLabel({ id: 'Label_1', name: 'Work' })).toBe('Work');
  });
});
