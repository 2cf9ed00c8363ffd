import { DomainError } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import type { QuerySpan } from '../../platform/search/query-tokens';

/** Errors of mail providers. Adapters throw no others, and each error defines its HTTP answer. */
export class MessageNotFound extends DomainError {
  constructor() {
    super({ code: 'message-not-found', status: 404, detail: 'The mailbox has no such message.' });
  }
}

const UNREADABLE = {
  'message-incomplete': 'The mail server lists the message but does not hand it out whole.',
  'message-mismatch': 'The mail server hands out another message in its place.',
  'message-too-large': 'The message is larger than 256 MiB, which is more than can be read.',
} as const;

/** The mailbox has the message, but its server returns another one, or only a part of it. */
export class MessageUnreadable extends DomainError {
  constructor(code: keyof typeof UNREADABLE) {
    super({ code, status: 502, detail: UNREADABLE[code], level: 'info' });
  }
}

export class PartNotFound extends DomainError {
  constructor() {
    super({ code: 'attachment-not-found', status: 404, detail: 'The message has no such attachment.' });
  }
}

export class LabelNotFound extends DomainError {
  constructor() {
    super({ code: 'label-not-found', status: 404, detail: 'The mailbox has no such label.' });
  }
}

export class ThreadNotFound extends DomainError {
  constructor() {
    super({ code: 'thread-not-found', status: 404, detail: 'The mailbox has no such conversation.' });
  }
}

export class LabelExists extends DomainError {
  constructor() {
    super({ code: 'label-exists', status: 409, detail: 'The mailbox already has a label of that name.' });
  }
}

export class LabelProtected extends DomainError {
  constructor() {
    super({ code: 'label-protected', status: 400, detail: 'System labels cannot be deleted.' });
  }
}

/** The grant is gone: the user must connect the account again; retrying is pointless. */
export class ReauthRequired extends DomainError {
  constructor(cause?: unknown) {
    super({
      code: 'mailbox-reauth-required',
      status: 409,
      detail: 'The mailbox must be connected again: the provider no longer accepts its credentials.',
      level: 'info',
      cause,
    });
  }
}

/** The account is switched off or disconnected. */
export class MailboxDisconnected extends DomainError {
  constructor(
    code: 'mailbox-disconnected' | 'archive-without-mailbox' = 'mailbox-disconnected',
    detail = 'The mailbox is disconnected or switched off.',
  ) {
    super({ code, status: 409, detail });
  }
}

/** The account is an archive, created without a mailbox: nothing can be read from a mailbox or changed in it. */
export class ArchiveWithoutMailbox extends MailboxDisconnected {
  constructor() {
    super('archive-without-mailbox', 'This archive has no mailbox. Mail gets into it by imports only.');
  }
}

export class ProviderRateLimited extends DomainError {
  declare readonly retryAt: Date;

  /** @param retryAt when the provider may be asked again */
  constructor(
    retryAt: Date,
    cause?: unknown,
    detail = 'The mail provider accepts no more requests at the moment. Try again later.',
  ) {
    super({
      code: 'provider-rate-limited',
      status: 503,
      detail,
      level: 'info',
      retryAt,
      cause,
    });
  }
}

/** Mailroom's own limit on the rate of requests is reached. The provider has refused nothing. */
export class RequestsPaced extends ProviderRateLimited {
  constructor(
    retryAt: Date,
    detail = 'Mailroom paces its requests to the mail provider, and this mailbox has used up its share for the moment. Try again later.',
  ) {
    super(retryAt, undefined, detail);
  }
}

/**
 * Jobs have used their share of the bytes that the provider lets a mailbox transfer in a day. A job waits until bytes are free
 * again.
 */
export class TransferLimitReached extends RequestsPaced {
  override readonly code = 'transfer-limit-reached';

  constructor(retryAt: Date) {
    super(
      retryAt,
      'The provider limits the bytes that a mailbox may transfer in a day, and jobs have used their share.',
    );
  }
}

export class ProviderUnavailable extends DomainError {
  /** @param again when it is tried again, and the text that says so */
  constructor(cause?: unknown, again?: { readonly detail: string; readonly retryAt: Date }) {
    super({
      code: 'provider-unavailable',
      status: 503,
      detail: 'The mail provider cannot be reached at the moment.',
      level: 'warn',
      headers: { 'Retry-After': '30' },
      ...again,
      cause,
    });
  }
}

/** The provider has not accepted the login. It is tried once more before the account must be connected again. */
export class LoginRefused extends ProviderUnavailable {
  /** @param reason the provider's machine-readable reason */
  constructor(
    retryAt: Date,
    readonly reason: string,
    cause?: unknown,
  ) {
    super(cause, {
      detail:
        'The mail provider has not accepted the login. It will be tried once more; if the password has changed or the access was withdrawn, connect the mailbox again.',
      retryAt,
    });
  }
}

/** The answer to a change that must not be repeated was lost: it may have been made or not. */
export class OutcomeUnknown extends DomainError {
  /** Whether the provider has confirmed the change, and only a later step failed. */
  readonly wasAccepted: boolean = false;

  constructor(cause?: unknown) {
    super({
      code: 'outcome-unknown',
      status: 503,
      detail: 'The mail provider may have made the change, but its answer was lost.',
      level: 'info',
      cause,
    });
  }
}

/** The provider has accepted a message, but its id could not be read. The message must not be added again. */
export class InsertUnconfirmed extends OutcomeUnknown {
  override readonly wasAccepted = true;
}

/** The change cursor is older than the history that the provider keeps. Callers list ids and compare instead. */
export class CursorInvalid extends DomainError {
  constructor() {
    super({
      code: 'cursor-invalid',
      status: 503,
      detail: 'The mailbox must be indexed again.',
      level: 'info',
    });
  }
}

/** The provider refuses this request for good (bad argument, missing scope, policy). */
export class ProviderRejected extends DomainError {
  /** @param reason the provider's machine-readable reason, e.g. `insufficientPermissions` */
  constructor(
    readonly reason: string,
    detail = 'The mail provider refused the request.',
    cause?: unknown,
  ) {
    super({
      code: 'provider-rejected',
      status: reason === 'invalidArgument' ? 400 : 403,
      detail,
      level: 'info',
      cause,
    });
  }

  /** Whether other requests of the account would be refused too. */
  get concernsAccount(): boolean {
    return ACCOUNT_REASONS.has(this.reason);
  }
}

/** The query has a term that this mailbox cannot honour. Dropping it would find, and change, more than was asked for. */
export class SearchTermNotSupported extends ProviderRejected {
  override readonly code = 'search-term-unsupported';
  override readonly span?: QuerySpan;

  /**
   * @param term as it stands in the query, e.g. `category:promotions`
   * @param span its place in the query
   * @param advice a sentence that says what finds it
   */
  constructor(term: string, span?: QuerySpan, advice?: string) {
    const refusal = `This mailbox cannot search for "${term.slice(0, 100)}".`;
    super('invalidArgument', advice === undefined ? refusal : `${refusal} ${advice}`);
    this.span = span && { offset: span.offset, length: span.length };
  }
}

const ACCOUNT_REASONS = new Set(['insufficientPermissions', 'domainPolicy']);

/** Declares the errors of reading the bytes of a live message. */
export const UnreadableProblems = (): MethodDecorator & ClassDecorator =>
  ApiProblems(
    ...(Object.keys(UNREADABLE) as (keyof typeof UNREADABLE)[]).map((code) => new MessageUnreadable(code)),
  );

/** Declares the errors of an account that cannot be used at the moment, for routes that start jobs on it. */
export const AccountProblems = (): MethodDecorator & ClassDecorator =>
  ApiProblems(new MailboxDisconnected(), new ArchiveWithoutMailbox(), new ReauthRequired());

/** Declares the errors of the mail provider, for routes that call it. */
export const ProviderProblems = (): MethodDecorator & ClassDecorator =>
  ApiProblems(
    new MailboxDisconnected(),
    new ArchiveWithoutMailbox(),
    new ReauthRequired(),
    new ProviderRateLimited(new Date()),
    new ProviderUnavailable(),
    new ProviderRejected('invalidArgument'),
    new ProviderRejected('insufficientPermissions'),
    new SearchTermNotSupported('category:promotions'),
  );
