import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n';
import { loadTexts } from '../i18n/texts';
import { actionText, factTexts } from './audit-text';
import { shownLabel } from './label-name';

/** Names that the service may not change by accident. */
const STABLE_NAMES = join(import.meta.dirname, '../../../test/whole-service/stable-names.json');

describe('audit texts', () => {
  beforeEach(async () => {
    await loadTexts('audit');
    await loadTexts('jobFailures');
    await loadTexts('mailboxes');
  });
  afterEach(() => setLanguage('en'));

  it('should say actions in the language of the page, and those of jobs with how far they came', async () => {
    expect(actionText('session.opened')).toBe('Signed in');
    expect(actionText('mails.restore-completed')).toBe('Restore: completed');
    await setLanguage('fr');
    expect(actionText('messages.bulk-started')).toBe('Modification de messages\u00a0: début');
  });

  it('should have a text for every action that the service lists', () => {
    const { auditActions } = JSON.parse(readFileSync(STABLE_NAMES, 'utf8')) as { auditActions: string[] };
    expect(auditActions.length).toBeGreaterThan(20);
    expect(auditActions.filter((action) => actionText(action) === action)).toEqual([]);
    expect(actionText('audit.end-refused')).toBe('The end of the audit log was altered');
  });

  it('should say what was changed, and that something was switched off', () => {
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
  ])('should say why something failed: %s', async (code, english, french) => {
    expect(factTexts({ code })).toEqual([`reason: ${english}`]);
    await setLanguage('fr');
    expect(factTexts({ reason: code })).toEqual([`raison\u00a0: ${french}`]);
  });

  it('should show the name of an action that is not known', () => {
    expect(actionText('later.done')).toBe('later.done');
    expect(actionText('messages.bulk-paused')).toBe('messages.bulk-paused');
  });

  it('should say facts as people read them, without counts of nothing', () => {
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
  it('should give the labels of the provider the names that people know', async () => {
    await loadTexts('labelNames');
    expect(shownLabel({ id: 'CATEGORY_PROMOTIONS', name: 'CATEGORY_PROMOTIONS' })).toBe('Promotions');
    expect(shownLabel({ id: 'Label_1', name: 'Work' })).toBe('Work');
  });
});
