import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { useAccount } from '../api/me';
import type { Place } from './places';

interface PageLinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  readonly to: Place['pages'][number]['to'];
}

/** A link to a page of a place; one of a mailbox leads to that of the mailbox that is open. */
export function PageLink({ to, ...props }: PageLinkProps): ReactNode {
  const accountId = useAccount()?.id;
  const target = { to, params: { accountId } } as LinkProps;
  return <Link {...target} activeOptions={{ exact: true, includeSearch: false }} {...props} />;
}
