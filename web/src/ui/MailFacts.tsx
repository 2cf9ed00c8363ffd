import { Stack } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { InvitationCard } from './InvitationCard';
import { Wrapping } from './Wrapping';

type MailFactsProps = Pick<Schemas['SafeHtmlResponse'], 'doubts' | 'invitations' | 'protection'>;

/**
 * Facts about a mail that is read: values that may be wrong, its signatures, and its invitations. The texts of `mailFacts` have to be
 * loaded.
 */
export function MailFacts({ doubts, invitations, protection }: MailFactsProps): ReactNode {
  const { t } = useTranslation();
  if (doubts.length === 0 && invitations.length === 0 && protection === null) return null;
  return (
    <Stack gap={4} mt="xs">
      {doubts.map((doubt) => (
        <Wrapping key={doubt} size="xs" c="dimmed">
          {t(`mailFacts.doubts.${doubt}`)}
        </Wrapping>
      ))}
      {protection && <ProtectionNotes {...protection} />}
      {invitations.map((invitation, index) => (
        <InvitationCard key={index} invitation={invitation} />
      ))}
    </Stack>
  );
}

function ProtectionNotes({ encrypted, coversMail, signatures }: Schemas['ProtectionResponse']): ReactNode {
  const { t } = useTranslation();
  if (encrypted) return <Wrapping size="sm">{t('mailFacts.protection.encrypted')}</Wrapping>;
  return (
    <>
      {signatures.map((signature, index) => (
        <SignatureNote key={index} {...signature} />
      ))}
      {!coversMail && (
        <Wrapping size="xs" c="dimmed">
          {t('mailFacts.protection.part')}
        </Wrapping>
      )}
    </>
  );
}

/** A signature: whether it fits, whose it is, and what was not checked. */
function SignatureNote(signature: Schemas['SignatureResponse']): ReactNode {
  const { t } = useTranslation();
  const { state, reason, signer, addresses, selfSigned, weak, ofSender } = signature;
  const names = [signer, ...addresses].filter((name) => name !== null).join(', ');
  if (state === 'unchecked')
    return <Wrapping size="sm">{t(`mailFacts.protection.unchecked.${reason ?? 'unreadable'}`)}</Wrapping>;
  if (state === 'altered')
    return (
      <Wrapping size="sm" c="red" role="alert">
        {t('mailFacts.protection.altered', { names })}
      </Wrapping>
    );
  const notes = [
    t('mailFacts.protection.intact', { names }),
    ...(ofSender ? [] : [t('mailFacts.protection.otherSender')]),
    ...(selfSigned ? [t('mailFacts.protection.selfSigned')] : []),
    ...(weak ? [t('mailFacts.protection.weak')] : []),
  ];
  return <Wrapping size="sm">{notes.join(' ')}</Wrapping>;
}
