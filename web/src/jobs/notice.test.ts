import type { Schemas } from '@mailroom/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n';
import { loadTexts } from '../i18n/texts';
import { noticeText } from './notice';

type Notice = Pick<Schemas['NotificationResponse'], 'type' | 'title' | 'body' | 'data'>;

const job = {
  jobId: 'j',
  status: 'completed',
  accountId: null,
  total: 56,
  processed: 56,
  failed: 0,
  error: null,
};
const since = '2026-05-04T09:30:00.000Z';

const KNOWN: readonly (readonly [Notice['type'], Notice['data'], string, string])[] = [
  [
    'job_completed',
    { ...job, type: 'undo_changes' },
    'Retour en arrière : tâche terminée',
    '56 messages ont été traités.',
  ],
  [
    'job_completed',
    { ...job, type: 'restore_mails', trialRun: true },
    'Essai d’une restauration : tâche terminée',
    'Rien n’a été modifié.',
  ],
  [
    'job_completed',
    { ...job, type: 'bulk_operation', processed: 50, failed: 6 },
    'Modification de messages',
    '6 échecs.',
  ],
  [
    'job_completed',
    { ...job, type: 'delete_user', total: 0, processed: 0 },
    'Suppression d’un utilisateur',
    'toutes ses données',
  ],
  [
    'job_failed',
    { ...job, type: 'run_rule', processed: 0, error: 'The rule was deleted.', errorCode: 'rule-gone' },
    'Exécution d’une règle : échec',
    'La règle a été supprimée avant la fin de son exécution.',
  ],
  [
    'job_failed',
    { ...job, type: 'run_rule', error: null },
    'Exécution d’une règle : échec',
    'La raison n’est pas connue.',
  ],
  [
    'rule_executed',
    { name: 'Vieux', action: 'trash', matched: 12 },
    'La règle « Vieux »',
    '12 messages correspondaient.',
  ],
  [
    'rule_executed',
    { name: 'Vieux', action: 'archive_nas', matched: 1 },
    'La règle',
    'Enregistrement dans l’archive',
  ],
  ['quota_warning', { usedBytes: 8, quotaBytes: 10, percent: 80 }, 'utilisé à 80', 'sont utilisés.'],
  ['quota_warning', { usedBytes: 10, quotaBytes: 10, percent: 100 }, 'plein', 'Plus aucun message'],
  [
    'integrity_alert',
    { backupAt: since, keptMails: 2, keptOfAll: 5 },
    'restaurée d’une sauvegarde',
    'Les règles de conservation gardent 2 de vos messages',
  ],
  ['integrity_alert', { checked: 9, missing: 2, altered: 0 }, 'endommagés', '2 fichiers manquent.'],
  [
    'integrity_alert',
    { state: 'behind', reason: 'provider', since, pending: 3 },
    'en retard',
    '3 messages attendent',
  ],
  ['integrity_alert', { state: 'quota_full', reason: null, since, pending: 0 }, 'arrêté', 'plus de place'],
  [
    'integrity_alert',
    { state: 'behind', reason: 'backlog', since, pending: 3, watchOnly: true },
    'observation',
    'cherché',
  ],
  ['integrity_alert', { accountId: 'a', since }, 'de nouveau à jour', 'Il était en retard'],
  [
    'weekly_report',
    {
      from: '2026-11-16T00:00:00.000Z',
      to: '2026-11-23T00:00:00.000Z',
      archivedMails: 12,
      archivedBytes: 2_048,
      jobsCompleted: 1,
      jobsFailed: 0,
      rulesRun: 2,
      topSenders: [{ sender: 'A <a@x.test>', count: 3 }],
      storageUsedBytes: 8,
      storageQuotaBytes: 10,
    },
    'Votre semaine',
    'A (3)',
  ],
];

describe('noticeText', () => {
  beforeEach(async () => {
    await setLanguage('fr');
    await loadTexts('notices');
    await loadTexts('jobFailures');
  });
  afterEach(() => setLanguage('en'));

  const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

  it.each(KNOWN)('should describe %s %j in French', (type, data, title, body) => {
    const said = noticeText({ type, data, title: 'English', body: 'English' });
    expect(plain(said.title)).toContain(title);
    expect(plain(said.body)).toContain(body);
    expect(`${said.title} ${said.body}`).not.toMatch(/\{\{|notices\.|English|undefined|NaN/);
  });

  it.each<Pick<Notice, 'type' | 'data'>>([
    { type: 'job_completed', data: { ...job, type: 'kind_of_another_version' } },
    { type: 'job_completed', data: {} },
    { type: 'rule_executed', data: { name: 'x', action: 'new_action', matched: 1 } },
    { type: 'integrity_alert', data: { state: 'behind', reason: 'new-reason', since, pending: 1 } },
    { type: 'weekly_report', data: {} },
  ])('should keep the words of the service where it does not know better: %j', ({ type, data }) => {
    expect(noticeText({ type, data, title: 'T', body: 'B' })).toEqual({ title: 'T', body: 'B' });
  });
});
