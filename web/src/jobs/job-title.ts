import { useTranslation } from 'react-i18next';
import { hasText } from '../i18n';
import type { en } from '../i18n/en';
import type { ListedJob } from './job-cache';
import { isImport, isNamedKind, isTrialRun } from './kinds';
import { uploads } from './uploads/upload-store';

/** Title of a job, as exactly as it is known: events have no payload, and the result repeats the action. */
export function useJobTitle({ queue_id: jobId, type, payload, result }: ListedJob): string {
  const { t } = useTranslation();
  const action = result?.['action'] ?? payload?.['action'];
  if (type === 'bulk_operation' && isAction(action)) return t(`jobs.actions.${action}`);
  if (isTrialRun({ type, payload, result })) return t('jobs.trialRun');
  const source = isImport(type) && (sourceOf(payload ?? {}) ?? uploads.filenameOf(jobId));
  if (source) return t('jobs.importOf', { source });
  return t(`jobs.kinds.${isNamedKind(type) ? type : 'other'}`);
}

const isAction = (action: unknown): action is keyof typeof en.jobs.actions =>
  typeof action === 'string' && hasText(`jobs.actions.${action}`);

/** Source of an import: a file by its name, or a folder of a server; null when it is not known. */
export function sourceOf({ filename, user, host, folder }: Readonly<Record<string, unknown>>): string | null {
  if (typeof filename === 'string') return filename;
  if (typeof host !== 'string' || typeof user !== 'string') return null;
  return `${typeof folder === 'string' ? folder : 'INBOX'}, ${user}, ${host}`;
}
