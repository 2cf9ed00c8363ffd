import { replaceCategoryLabels } from './category-terms';

describe('replaceCategoryLabels', () => {
  it.each([
    ['label:promotions', 'category:promotions'],
    [
      'a -label:Promotions (in:SOCIAL OR label:"updates")',
      'a -category:promotions (category:social OR category:updates)',
    ],
    ['{label:primary label:personal label:forums}', '{category:primary category:personal category:forums}'],
    ['label:CATEGORY_PROMOTIONS', 'category:promotions'],
    ['label:promotions-2024 label:my-social "label:promotions" xlabel:social', undefined],
    ['subject:"a label:promotions b" "label:forums', undefined],
  ])('should read %j as %j', (query, expected = query) => {
    expect(replaceCategoryLabels(query, () => false)).toBe(expected);
  });

  it('should not touch a user’s label of the same name', () => {
    expect(
      replaceCategoryLabels('label:Social label:CATEGORY_SOCIAL in:forums', (name) => name === 'Social'),
    ).toBe('label:Social category:social category:forums');
  });
});
