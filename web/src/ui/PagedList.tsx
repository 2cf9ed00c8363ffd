import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Key, ReactNode } from 'react';
import { EmptyState } from './EmptyState';
import { PlainList } from './PlainList';
import { QueryView } from './QueryView';

interface PagedListProps<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly Item[] }>>;
  /** Said when there is nothing. */
  readonly none: string;
  /** Text of the button that loads the next page. */
  readonly more: string;
  readonly keyOf: (item: Item) => Key;
  readonly className?: string;
  readonly children: (item: Item) => ReactNode;
}

/** A list whose pages are loaded one after the other, by a button at its end. */
export function PagedList<Item>(props: PagedListProps<Item>): ReactNode {
  const { query, none, more, keyOf, className, children } = props;
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ pages }) => pages.every(({ items }) => items.length === 0),
        show: <EmptyState text={none} />,
      }}
    >
      {({ pages }) => (
        <>
          <PlainList gap={0}>
            {pages
              .flatMap(({ items }) => items)
              .map((item) => (
                <li key={keyOf(item)} className={className}>
                  {children(item)}
                </li>
              ))}
          </PlainList>
          {query.hasNextPage && (
            <Button
              size="xs"
              variant="default"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {more}
            </Button>
          )}
        </>
      )}
    </QueryView>
  );
}
