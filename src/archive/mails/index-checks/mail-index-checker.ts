import { Injectable } from '@nestjs/common';
import { timeoutSignal } from '../../../platform/concurrency/timers';
import { WorkerPool } from '../../../platform/workers/worker-pool';
import { isDamage, ObjectMissing } from '../../files/archive-store.errors';
import { isUnparsed } from '../archiving/message-parser';
import type { ArchiveParse, ParseTask } from '../archiving/parse-message.task';
import { MailContentReader } from '../mail-content-reader';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { AttachmentIndexChecker } from './attachment-index-checker';
import type { CheckedCounts } from './index-checks.repository';
import { IndexHealer } from './index-healer';
import { IndexProbesRepository, type SampledMail } from './index-probes.repository';
import { IndexSearch } from './index-search';
import { pickWords } from './picked-words';

const PARSER = { module: require.resolve('../archiving/parse-message.task'), name: 'parseForArchive' };
const PARSE_TIMEOUT_MS = 30_000;
/** Words that a mail is searched by. */
const SUBJECT_WORDS = 1;
const TEXT_WORDS = 3;
/** UTF-16 units of a text of which not all is indexed, from which words are picked. */
const SURELY_INDEXED = 10_000;

const NONE: CheckedCounts = { mails: 0, attachments: 0, mismatches: 0, unreadable: 0 };

/** Checks whether the index has of a mail what its file has. */
@Injectable()
export class MailIndexChecker {
  constructor(
    private readonly contents: MailContentReader,
    private readonly workers: WorkerPool,
    private readonly attachments: AttachmentIndexChecker,
    private readonly probes: IndexProbesRepository,
    private readonly search: IndexSearch,
    private readonly healer: IndexHealer,
  ) {}

  /**
   * Reads a mail, and searches for some of its words; of an encrypted mail there must be no text. What is wrong is put right.
   * @throws the errors of the store, except for a file that is missing or damaged
   */
  async check(owner: ArchiveOwner, sampled: SampledMail, signal: AbortSignal): Promise<CheckedCounts> {
    const { mail } = sampled;
    if (mail.isEncrypted) {
      const isLeft =
        (await this.probes.hasTextOfEncrypted(mail)) &&
        (await this.healer.removeTextOfEncrypted(owner, mail));
      return { ...NONE, mails: 1, mismatches: isLeft ? 1 : 0 };
    }
    const parsed = await this.parse(sampled, signal);
    if (parsed === null) return { ...NONE, unreadable: 1 };
    if (await this.isMissed(owner, sampled, parsed)) return { ...NONE, mails: 1, mismatches: 1 };
    const outcome = await this.attachments.check(owner, mail, signal);
    return {
      ...NONE,
      mails: 1,
      attachments: outcome === null ? 0 : 1,
      mismatches: outcome === 'missed' ? 1 : 0,
    };
  }

  private async isMissed(owner: ArchiveOwner, sampled: SampledMail, parsed: ArchiveParse): Promise<boolean> {
    const { mail, textState } = sampled;
    const text = parsed.text ?? '';
    const known = textState === 'too-large' ? text.slice(0, SURELY_INDEXED) : text;
    const words = [
      ...pickWords(parsed.subject, SUBJECT_WORDS).map((word) => `subject:"${word}"`),
      ...pickWords(known, TEXT_WORDS).map((word) => `"${word}"`),
    ];
    if (words.length === 0) return false;
    const q = words.join(' ');
    return (await this.search.misses(mail, q)) && (await this.healer.healPlain(owner, mail, q, null));
  }

  /** @returns null: the file cannot be read, or not be parsed */
  private async parse({ mail }: SampledMail, signal: AbortSignal): Promise<ArchiveParse | null> {
    try {
      const raw = await this.contents.read(mail, null, { signal });
      const parsed = await this.workers.run<ParseTask, ArchiveParse>(
        PARSER,
        { raw, withText: true },
        { signal: AbortSignal.any([signal, timeoutSignal(PARSE_TIMEOUT_MS)]) },
      );
      return parsed.sha256 !== mail.sha256 || isUnparsed(parsed) ? null : parsed;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ObjectMissing || isDamage(error)) return null;
      throw error;
    }
  }
}
