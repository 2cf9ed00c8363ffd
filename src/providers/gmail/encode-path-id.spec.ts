import { encodePathId } from './gmail-api';

describe('encodePathId', () => {
  const pathOf = (id: string): string =>
    new URL(`https://provider.test/users/me/labels/${encodeURIComponent(encodePathId(id))}`).pathname;

  it.each(['.', '..'])('should keep %j from being a path step', (id) => {
    expect(pathOf(id)).toBe(`/users/me/labels/${'%252E'.repeat(id.length)}`);
  });

  it.each(['Label_1', '...', '.a', 'a/..', '%2e%2e', '18c2f0'])('should not change %j', (id) => {
    expect(encodePathId(id)).toBe(id);
    expect(pathOf(id).split('/')).toHaveLength(5);
  });
});
