import { DomainError, ValidationFailed } from '../../../platform/http/domain-error';
import type { ImapConnectProblem } from '../../../providers/imap/login/imap-login-failure';
import type { ImapPreset } from '../../../providers/imap/login/imap-presets';

/** Reason for which a mailbox is not connected: 400 with the field that the user can correct, 503 for the rest. */
export interface ConnectProblem extends Omit<ImapConnectProblem, 'code'> {
  readonly code: ImapConnectProblem['code'] | 'imap-use-google' | 'imap-oauth-only';
}

export class ImapConnectFailed extends DomainError {
  constructor(readonly problem: ConnectProblem) {
    const { code, detail, field, serverText } = problem;
    super({
      code,
      status: field === null ? 503 : 400,
      detail,
      level: 'info',
      ...(field === null ? { headers: { 'Retry-After': '30' } } : { errors: [{ field, message: detail }] }),
      ...(serverText === null ? {} : { serverText }),
    });
  }
}

/** Builds the problem of a provider whose mailboxes cannot be connected with a password. */
export function refusalOf(preset: ImapPreset): ConnectProblem {
  const detail = `${preset.name} takes no passwords by IMAP, only a sign-in at ${preset.name} that the operator of this service sets up.`;
  return { code: 'imap-oauth-only', detail, field: 'host', serverText: null };
}

/** Problem of a Gmail mailbox without All Mail, whose archived messages IMAP cannot show. */
export const ALL_MAIL_HIDDEN: ConnectProblem = {
  code: 'imap-use-google',
  detail:
    'Gmail hides the folder All Mail from IMAP: switch on "Show in IMAP" for it in Gmail\'s settings, under Labels, or connect with Google.',
  field: 'host',
  serverText: null,
};

/** The provider fixes the roles of folders, as Gmail does, so that none can be set. */
export class FolderRolesFixed extends ValidationFailed {
  constructor() {
    super([
      { field: 'roles', message: 'roles cannot be given: the provider decides what its folders are for' },
    ]);
  }
}

/** The account is not connected by IMAP. */
export class ImapNotConnected extends DomainError {
  constructor() {
    super({
      code: 'imap-account-not-found',
      status: 404,
      detail: 'The mailbox is not connected by IMAP.',
    });
  }
}
