import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { op } from '../../../api/op';
import { MailHead, MailReader } from '../../../ui/MailReader';
import type { ReaderSteps } from '../../../ui/reader-steps';
import { QueryView } from '../../../ui/QueryView';
import { ReadMail } from './ReadMail';

interface ArchiveReaderProps {
  readonly accountId: string;
  readonly mailId: string;
  readonly steps: ReaderSteps | undefined;
  readonly onMoreFrom: (from: string) => void;
  readonly onClose: () => void;
}

/** One archived mail, safe to read. */
export function ArchiveReader({
  accountId,
  mailId,
  steps,
  onMoreFrom,
  onClose,
}: ArchiveReaderProps): ReactNode {
  const mail = useQuery(op('archive.getMail', { accountId, mailId }));
  return (
    <MailReader
      steps={steps}
      onClose={onClose}
      head={
        <QueryView query={mail}>
          {({ subject, sender, recipient, date }) => (
            <MailHead subject={subject} from={sender} to={recipient} date={date} onMoreFrom={onMoreFrom} />
          )}
        </QueryView>
      }
    >
      {mail.data && <ReadMail accountId={accountId} mail={mail.data} />}
    </MailReader>
  );
}
