import { call } from '../../../api/client';
import { readRawMail, type RawMail } from '../../../ui/reading/raw-mail';
import { useUnlockedQuery, type UnlockedQuery } from './unlocked-query';
import type { OfMail } from './of-mail';

/** The raw text of a mail, encrypted ones too. */
export const useRawMail = ({ accountId, mail }: OfMail): UnlockedQuery<RawMail> =>
  useUnlockedQuery(['archive.downloadEml', { accountId, mailId: mail.id }], async (passphrase, signal) =>
    readRawMail(
      await call(
        'archive.downloadEml',
        { accountId, mailId: mail.id, archivePassphrase: passphrase },
        { signal },
      ),
    ),
  );
