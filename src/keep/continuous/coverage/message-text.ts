import type { CoverageClass } from '../ledger/coverage-figures';

/** Facts from which a message's state is explained. */
export interface ExplainedMessage {
  /** null: it is no longer in the mailbox. */
  readonly class: CoverageClass | null;
  readonly exclusion: string | null;
  readonly reason: string | null;
  readonly verifiedOn: string | null;
  readonly nextTryAt: Date | null;
}

const EXCLUSIONS: Readonly<Record<string, string>> = {
  spam: 'it is spam',
  trash: 'it is in the trash',
  drafts: 'it is a draft',
  label: 'of its label',
  sender: 'of its sender',
  larger_than: 'of its size',
  older_than: 'of its age',
  younger_than: 'it is too young',
  removed: 'its copy was deleted, by you or by a retention policy',
};

const REASONS: Readonly<Record<string, string>> = {
  'copy-missing': 'The file of its copy is missing.',
  'copy-altered': 'The file of its copy has been altered.',
  'provider-differs': 'Its copy is not what the mailbox has.',
  'message-incomplete': 'The mail server lists it but does not hand it out whole.',
  'message-mismatch': 'The mail server hands out another message in its place.',
  'message-too-large': 'It is larger than 256 MiB, which is more than can be read.',
};

/** One or two sentences for people. */
export function textOf(message: ExplainedMessage): string {
  switch (message.class) {
    case null:
      return 'The message is no longer in the mailbox. Its copy is in the archive.';
    case 'verified':
      return `The message is in the archive. Its file was read and compared with its hash on ${message.verifiedOn}.`;
    case 'archived':
      return message.verifiedOn
        ? `The message is in the archive. Its file was last compared with its hash on ${message.verifiedOn}.`
        : 'The message is in the archive. Its file has not been compared with its hash since.';
    case 'excluded': {
      const type = message.exclusion?.split(':')[0] ?? '';
      const because = EXCLUSIONS[type];
      return because
        ? `The message is not archived because ${because}.`
        : 'The message is not archived because of an exclusion.';
    }
    case 'failed': {
      const why = REASONS[message.reason ?? ''] ?? `The message could not be archived (${message.reason}).`;
      return message.nextTryAt
        ? `${why} The next attempt is at ${message.nextTryAt.toISOString()}.`
        : `${why} It is not fetched again.`;
    }
    case 'pending':
      return 'The message waits to be archived.';
  }
}
