import { hashApiKey, isApiKey, newApiKey, shownPrefixOf } from './api-key-format';

describe('API keys as text', () => {
  it('should have a form that scanners can search for', () => {
    for (let round = 0; round < 200; round += 1) {
      const key = newApiKey();
      expect(key).toMatch(/^mrk_[0-9A-Za-z]{49}$/);
      expect(isApiKey(key)).toBe(true);
    }
    expect(new Set(Array.from({ length: 200 }, newApiKey)).size).toBe(200);
  });

  it('use their 256 bits: no place has a fixed character', () => {
    const keys = Array.from({ length: 400 }, newApiKey);
    // 62^43 is 1.05 times 2^256, so that the first character is evenly spread nearly to the end of the alphabet.
    for (let place = 4; place < 47; place += 1)
      expect(new Set(keys.map((key) => key[place])).size).toBeGreaterThan(40);
  });

  it('should detect a typing mistake', () => {
    const key = newApiKey();
    for (let place = 0; place < key.length; place += 1) {
      const wrong = key[place] === 'a' ? 'b' : 'a';
      expect(isApiKey(key.slice(0, place) + wrong + key.slice(place + 1))).toBe(false);
    }
    const swapped = [...key];
    const place = swapped.findIndex((character, index) => index > 3 && character !== swapped[index + 1]);
    [swapped[place], swapped[place + 1]] = [swapped[place + 1]!, swapped[place]!];
    expect(isApiKey(swapped.join(''))).toBe(false);
  });

  it.each(['', 'mrk_', `mrk_${'0'.repeat(49)}`, ` ${newApiKey()}`, `${newApiKey()}\n`, `${newApiKey()}0`])(
    'should not be %j',
    (text) => expect(isApiKey(text)).toBe(false),
  );

  it('should be recognised by their prefix and stored as SHA-256', () => {
    const key = newApiKey();
    expect(shownPrefixOf(key)).toBe(key.slice(0, 12));
    expect(hashApiKey(key)).toHaveLength(32);
    expect(hashApiKey('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
