/** Kinds of paging in the table of operations. */
export type Paging =
  | { readonly by: 'page'; readonly items: string }
  | { readonly by: 'token'; readonly items: string }
  | { readonly by: 'cursor'; readonly cursor: string; readonly field: string };

type Values = Readonly<Record<string, unknown>>;

/** The entries of a page. */
export function itemsOf(paging: Paging, page: unknown): readonly unknown[] {
  return (paging.by === 'cursor' ? page : (page as Values)[paging.items]) as readonly unknown[];
}

/** Changes of the arguments for the next page; null after the last. */
export function nextPage(paging: Paging, page: unknown, args: Values): Values | null {
  const items = itemsOf(paging, page);
  if (paging.by === 'token') {
    const token = (page as Values)['nextPageToken'];
    return token === null || token === undefined || token === '' ? null : { pageToken: token };
  }
  if (items.length === 0) return null;
  if (paging.by === 'cursor') {
    const asked = args['limit'];
    if (typeof asked === 'number' && items.length < asked && items.length < LOWERED_LIMIT) return null;
    return { [paging.cursor]: (items.at(-1) as Values)[paging.field] };
  }
  // The response has the limit that was used: a limit above the maximum is lowered to it.
  const { page: number, limit, total } = page as { page: number; limit: number; total?: number };
  const isLast = total === undefined ? items.length < limit : number * limit >= total;
  return isLast ? null : { page: number + 1 };
}

/** Limit up to which a short page of a bare array is the last; a higher one may have been lowered. */
const LOWERED_LIMIT = 100;

/** All pages from the one that `args` ask for. */
export async function* pagesFrom(
  paging: Paging,
  args: Values,
  fetchPage: (args: Values) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  for (let next: Values | null = args; next;) {
    const page = await fetchPage(next);
    yield page;
    const change: Values | null = nextPage(paging, page, next);
    next = change && { ...next, ...change };
  }
}

/** All entries of all pages. */
export async function* itemsFrom(
  paging: Paging,
  pages: AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const page of pages) yield* itemsOf(paging, page);
}
