import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** A link to the sign-in page, for people who have an account. */
export function SignInLink(): ReactNode {
  const { t } = useTranslation();
  return (
    <Text size="sm">
      {t('signIn.haveAccount')}{' '}
      <Anchor component={Link} to="/login" underline="always">
        {t('signIn.submit')}
      </Anchor>
    </Text>
  );
}
