import type { Schemas } from '@mailroom/sdk';
import type { ChosenMails } from './chosen-mails';

/** In place of a mailbox: a server whose address is typed. */
export const SERVER = 'server';
const TLS_PORT = 993;

export type RestoreForm = {
  /** Id of a mailbox, or `SERVER`. */
  readonly target: string;
  readonly host: string;
  readonly port: number | string;
  readonly user: string;
  readonly pass: string;
  readonly root: string;
  readonly secure: boolean;
  readonly labels: boolean;
  readonly addLabel: string;
  readonly insertDifferent: boolean;
};

/** Fields of the form, by those of the request. */
export const FIELDS = {
  'target.accountId': 'target',
  'target.imap.host': 'host',
  'target.imap.port': 'port',
  'target.imap.user': 'user',
  'target.imap.pass': 'pass',
  'target.imap.root': 'root',
  'target.imap.secure': 'secure',
  onDifferent: 'insertDifferent',
} as const;

export const BLANK_RESTORE: Omit<RestoreForm, 'target'> = {
  host: '',
  port: TLS_PORT,
  user: '',
  pass: '',
  root: '',
  secure: true,
  labels: true,
  addLabel: '',
  insertDifferent: false,
};

/** Request body for a form; it has only the fields of the chosen kind of target. */
export function restoreBody({ body }: ChosenMails, form: RestoreForm): Schemas['PlanRestoreDto'] {
  const { target, host, port, user, pass, root, secure, labels, addLabel, insertDifferent } = form;
  const label = addLabel.trim();
  const folder = root.trim();
  return {
    select: body.mailIds ? { mailIds: body.mailIds } : { filter: body.filter },
    target:
      target === SERVER
        ? {
            imap: {
              host: host.trim(),
              port: Number(port),
              user,
              pass,
              secure,
              ...(folder && { root: folder }),
            },
          }
        : { accountId: target },
    labels: labels ? 'original' : 'none',
    ...(label && { addLabel: label }),
    onDifferent: insertDifferent ? 'insert' : 'skip',
  };
}
