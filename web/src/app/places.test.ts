import { describe, expect, it } from 'vitest';
import { placeAt } from './places';

describe('placeAt', () => {
  it.each([
    ['/a/$accountId/overview', 'home'],
    ['/a/$accountId/attachments', 'archive'],
    ['/a/$accountId/insights', 'cleanUp'],
    ['/retention', 'protect'],
    ['/a/$accountId/transfer', 'settings'],
    ['/settings/keys', 'settings'],
    ['/search', undefined],
  ])('should have %s in %s', (route, place) => {
    expect(placeAt(route)).toBe(place);
  });
});
