import { SENDER_PLATFORMS } from './sender-platforms';

const places = SENDER_PLATFORMS.flatMap((vendor) => vendor.places);

it('should know many platforms', () => {
  expect(SENDER_PLATFORMS.length).toBeGreaterThan(150);
  expect(places.length).toBeGreaterThan(250);
});

it('should list each host and each vendor once', () => {
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  const vendors = SENDER_PLATFORMS.map(({ vendor }) => vendor);
  expect(vendors.filter((vendor, at) => vendors.indexOf(vendor) !== at)).toEqual([]);
});

it.each(places)('%s is a host in lower case, and a path', (place) => {
  expect(place).toMatch(/^(?:[a-z0-9#-]+\.)+[a-z]+(?:\/\S*)?$/);
});
