/** Names of the categories, as `category:` and people write them. */
const CATEGORY_NAMES = ['primary', 'personal', 'social', 'promotions', 'updates', 'forums'] as const;
/**
 * Matches `label:promotions`, `in:"Promotions"` and `label:CATEGORY_PROMOTIONS`, and quoted texts, which contain no
 * terms.
 */
const LABEL_TERM = new RegExp(
  `(?<![^\\s(){}|!+-])(?:label|in):("?)((?:category[ _-])?(${CATEGORY_NAMES.join('|')}))\\1(?![^\\s(){}|])|"[^"]*"?`,
  'gi',
);

/**
 * Replaces `label:promotions` in a query by `category:promotions`. Searches do not know the names of the labels of
 * categories, such as `CATEGORY_PROMOTIONS`; people write what Gmail shows.
 * @param isLabel whether a user-made label has this name, given as the query writes it
 */
export function replaceCategoryLabels(query: string, isLabel: (name: string) => boolean): string {
  return query.replace(
    LABEL_TERM,
    (term: string, _quote: string, name: string | undefined, category: string | undefined) =>
      name === undefined || category === undefined || isLabel(name)
        ? term
        : `category:${category.toLowerCase()}`,
  );
}
