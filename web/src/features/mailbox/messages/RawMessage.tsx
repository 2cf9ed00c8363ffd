import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../../api/client';
import { MailHeaders } from '../../../ui/reading/HeaderTable';
import { readRawMail } from '../../../ui/reading/raw-mail';
import { SourceText } from '../../../ui/reading/SourceText';
import { QueryView } from '../../../ui/QueryView';

interface RawMessageProps {
  readonly accountId: string;
  readonly messageId: string;
  readonly kind: 'headers' | 'source';
}

/** A live message as the mail provider holds it, or its headers alone. */
export function RawMessage({ accountId, messageId, kind }: RawMessageProps): ReactNode {
  const raw = useQuery({
    queryKey: ['mailbox.downloadEml', { accountId, messageId }],
    queryFn: async ({ signal }) =>
      readRawMail(await call('mailbox.downloadEml', { accountId, messageId }, { signal })),
    staleTime: Infinity,
  });
  return (
    <Box flex={1} mih={240} mt="sm" style={{ overflow: 'auto' }}>
      <QueryView query={raw}>
        {(mail) => (kind === 'headers' ? <MailHeaders text={mail.text} /> : <SourceText {...mail} />)}
      </QueryView>
    </Box>
  );
}
