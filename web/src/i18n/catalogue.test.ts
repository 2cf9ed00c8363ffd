import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { i18next } from './catalogue';
import { en as core } from './en';
import { pages } from './en/pages';
import { fr as frenchCore } from './fr';
import { pages as frenchPages } from './fr/pages';

const SOURCES = join(import.meta.dirname, '..');
/** Attributes that people read or hear. */
const READ = new Set(['label', 'title', 'placeholder', 'description', 'aria-label', 'alt', 'text']);
const LETTERS = /\p{L}{2}/u;

/** Texts in JSX that do not come from the catalogue. */
function bareTexts(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isJsxText(node)
      ? node.text
      : ts.isJsxAttribute(node) &&
          READ.has(node.name.getText()) &&
          node.initializer &&
          ts.isStringLiteral(node.initializer)
        ? node.initializer.text
        : '';
    if (LETTERS.test(text)) found.push(`${file}: ${text.trim()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Places where a colon is set by hand between what is shown: each language sets its own. */
function bareColons(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isBare =
      ((ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) && node.text.startsWith(': ')) ||
      (ts.isJsxText(node) && node.text.trimStart().startsWith(':'));
    if (isBare) found.push(`${file}: ${node.parent.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Every text with its key. */
const textsOf = (texts: object, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : textsOf(value as object, `${path}${key}.`),
  );

async function catalogueOf(
  core: object,
  pages: Readonly<Record<string, () => Promise<object>>>,
): Promise<ReadonlyMap<string, string>> {
  const loaded = await Promise.all(Object.values(pages).map((load) => load()));
  return new Map(textsOf(Object.assign({}, core, ...loaded) as object));
}

const en = await catalogueOf(core, pages);
const fr = await catalogueOf(frenchCore, frenchPages);

/** The forms that texts with a number of things have in a language. */
const formsOf = (language: string): string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.map((form) => `_${form}`);

/** The texts that have forms for numbers, without the form. */
const counted = new Set(
  [...en.keys()].filter((key) => key.endsWith('_other')).map((key) => key.slice(0, -'_other'.length)),
);

/** A text with its gaps filled, as the page shows it; it is given as the default of a key that does not exist. */
const filled = (options: Readonly<Record<string, string>>): string =>
  (i18next.t as (key: string, options: object) => string)('none', options);

const placeholdersOf = (text: string): string[] => (text.match(/\{\{[^}]*\}\}/g) ?? []).sort();

/** Words that are the same in French, names, and what is only placeholders. */
const SAME_IN_FRENCH = new Set([
  'search.index.mails',
  'search.filePlaces.page',
  'mailboxes.archive.badge',
  'jobs.format',
  'mailboxes.providers.microsoft',
  'mailboxes.providers.yahoo',
  'mailboxes.code.label',
  'audit.settings.description',
  'audit.values.maildir',
  'webhooks.title',
  'webhooks.type',
  'webhooks.urlPlaceholder',
  'webhooks.testEvent',
  'restore.port',
  'savedSearches.icons.archive',
  'search.places.archive',
  'search.suggestions',
  'search.terms.important',
  'storage.endpointPlaceholder',

  'common.appName',
  'common.pages',
  'common.page',
  'common.languages.en',
  'mailFacts.invitation.kinds.invitation',
  'mailFacts.invitation.range',
  'mailFacts.invitation.inZone',
  'common.languages.fr',
  'shell.unread_zero',
  'shell.places.archive',
  'shell.places.admin',
  'shell.pages.archive',
  'shell.pages.newsletters',
  'shell.pages.notifications',
  'shell.pages.webhooks',
  'shell.pages.admin',
  'mailFacts.reader',
  'mailFacts.date',
  'signIn.code',
  'settings.profile.storage',
  'security.code',
  'problems.code',
  'jobs.progressOpen',
  'jobs.reason',
  'overviewDetails.senderCount_one',
  'overviewDetails.senderCount_other',
  'imapImport.hostPlaceholder',
  'imapImport.port',
  'archive.envelope.cc',
  'exportForm.count_one',
  'exportForm.count_other',
  'mailboxes.providers.gmail',
  'mailboxes.providers.other',
  'mailboxes.imap.port',
  'mailboxes.imap.security',
  'mailboxes.imap.securities.tls',
  'mailboxes.imap.securities.starttls',
  'mailbox.list',
  'mailbox.figures.important_one',
  'audit.about',
  'audit.ends.completed',
  'audit.messages_one',
  'audit.messages_other',
  'audit.someMessages',
  'audit.details.action',
  'audit.details.count',
  'audit.details.format',
  'audit.details.isActive',
  'audit.details.mails',
  'audit.details.messages',
  'audit.details.mode',
  'audit.details.planId',
  'audit.details.sessions',
  'audit.details.sha256',
  'audit.details.source',
  'audit.settings.action',
  'audit.settings.conditions',
  'audit.settings.mode',
  'audit.settings.paused',
  'audit.values.gmail',
  'audit.values.invitation',
  'archive.title',
  'archive.messages_one',
  'archive.messages_other',
  'archive.conversations_one',
  'archive.conversations_other',
  'labelNames.SPAM',
  'labelNames.CATEGORY_PROMOTIONS',
  'labelNames.CATEGORY_FORUMS',
  'archive.mails',
  'archive.threads',
  'archive.formats.zip',
  'archive.formats.mbox',
  'mailFacts.kinds.html',
  'mailFacts.kinds.source',
  'archive.facts.sha256',
  'space.messages_one',
  'space.messages_other',
  'space.newsletter',
  'suggestions.title',
  'charts.messages',
  'insights.messages',
  'insights.messageCount_one',
  'insights.messageCount_other',
  'keep.spam',
  'keep.unreadable',
  'keep.offload.queryExample',
  'keep.blockedBy.important',
  'newsletters.title',
  'newsletters.messages_one',
  'newsletters.messages_other',
  'notifications.title',
  'admin.title',
]);

describe('the catalogue', () => {
  it('should contain every text of the page', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
      .map((name) => join(SOURCES, name));
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap(bareTexts)).toEqual([]);
  });

  it('should be imported elsewhere only for its types, since another language may be shown', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !name.startsWith('i18n') && !/\.test\.tsx?$/.test(name),
    );
    const readers = files.filter((name) =>
      /^import (?!type\b).*i18n\/(?:en|fr)\b/m.test(readFileSync(join(SOURCES, name), 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  it.each([
    ['en', en],
    ['fr', fr],
  ] as const)('should have all plural forms of every text in %s', (language, texts) => {
    const keys = new Set(texts.keys());
    const wanted = [...counted].flatMap((key) => formsOf(language).map((form) => key + form));
    expect(wanted.filter((key) => !keys.has(key))).toEqual([]);
    const forms = /_(?:one|two|few|many|other)$/;
    const unknown = [...keys].filter((key) => forms.test(key) && !wanted.includes(key));
    expect(unknown).toEqual([]);
  });

  it('should contain no empty text', () => {
    for (const [key, text] of [...en, ...fr]) expect([key, text.trim()]).not.toEqual([key, '']);
  });

  it('should have the same texts in French', () => {
    const without = (texts: ReadonlyMap<string, string>): string[] =>
      [...texts.keys()].filter((key) => !key.endsWith('_many')).sort();
    expect(without(fr)).toEqual(without(en));
  });

  it('should use the same placeholders in French', () => {
    const named = (texts: ReadonlyMap<string, string>): [string, string[]][] =>
      [...texts].map(([key, text]) => [key, placeholdersOf(text)]);
    const wanted = new Map(named(en));
    for (const [key, placeholders] of named(fr))
      expect([key, placeholders]).toEqual([key, wanted.get(key.replace(/_many$/, '_other'))]);
  });

  it('should be translated, except for words that are the same', () => {
    const same = [...en].filter(([key, text]) => fr.get(key) === text).map(([key]) => key);
    expect(same.filter((key) => !SAME_IN_FRENCH.has(key))).toEqual([]);
    expect([...SAME_IN_FRENCH].filter((key) => !same.includes(key))).toEqual([]);
  });

  it('should follow French typography: no-break spaces, typographic apostrophes', () => {
    const faults = [
      /\p{L}'\p{L}/u,
      // Addresses, words of searches and a port behind its host have their colons as they are written.
      /[^\u00a0\u202f](?:[;?!»]|:(?=[\s\u00a0]|$))/u,
      /«[^\u00a0\u202f]/u,
    ];
    const wrong = [...fr].filter(([, text]) => faults.some((fault) => fault.test(text)));
    expect(wrong).toEqual([]);
  });

  it.each([
    ['en', en],
    ['fr', fr],
  ] as const)('should end no sentence with two full stops in %s', (language, texts) => {
    expect([...texts].filter(([, text]) => /\.\s*\.(?!\.)/.test(text))).toEqual([]);
    // An inserted value may end with the stop of an abbreviation, as a date does.
    const said = [...texts].map(([key, text]) => {
      const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
      const values = Object.fromEntries(names.map((name) => [name, '14 nov.']));
      return [key, filled({ ns: 'test', lng: language, defaultValue: text, ...values })] as const;
    });
    expect(said.filter(([, text]) => /(?<!\.)\.\.(?!\.)/.test(text))).toEqual([]);
  });

  it('should leave colons to the texts of each language', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
      .map((name) => join(SOURCES, name));
    expect(files.flatMap(bareColons)).toEqual([]);
  });
});
