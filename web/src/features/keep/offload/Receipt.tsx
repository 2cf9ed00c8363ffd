import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mailroom } from '../../../api/client';

/** The signed receipt and its list of messages, as files: `receipt:verify` of the command line checks them. */
export function Receipt({
  accountId,
  planId,
}: {
  readonly accountId: string;
  readonly planId: string;
}): ReactNode {
  const { t } = useTranslation();
  const args = { accountId, planId };
  return (
    <>
      <Anchor size="sm" href={mailroom.urlOf('offload.getReceipt', args)} download={`receipt-${planId}.json`}>
        {t('keep.offload.receipt')}
      </Anchor>
      <Anchor
        size="sm"
        href={mailroom.urlOf('offload.getReceiptItems', args)}
        download={`receipt-${planId}.ndjson`}
      >
        {t('keep.offload.items')}
      </Anchor>
    </>
  );
}
