/** The categories, as `category:` and people call them. */
const CATEGORY_NAMES = ['primary', 'personal', 'social', 'promotions', 'updates', 'forums'] as const;
/** Finds `label:promotions`, `in:"Promotions"` and `label:CATEGORY_PROMOTIONS`, and passes over quoted texts, which hold no terms. */
const LABEL_TERM = new RegExp(
  `(?<![^\\s(){}|!+-])(?:label|in):("?)((?:category[ _-])?(${CATEGORY_NAMES.join('|')}))\\1(?![^\\s(){}|])|"[^"]*"?`,
  'gi',
);

/**
 * A query with `category:promotions` in place of `label:promotions`. The labels of categories have names that no search
 * knows, such as `CATEGORY_PROMOTIONS`; people write what Gmail shows.
 * @param isLabel whether people have given a label of their own the name, as it is written in the query
 */
export function withCategoryTerms(query: string, isLabel: (name: string) => boolean): string {
  return query.replace(
    LABEL_TERM,
    (term: string, _quote: string, name: string | undefined, category: string | undefined) =>
      name === undefined || category === undefined || isLabel(name)
        ? term
        : `category:${category.toLowerCase()}`,
  );
}
