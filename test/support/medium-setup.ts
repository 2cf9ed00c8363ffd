// A medium spec waits for nothing but its database.
jest.setTimeout(20_000);

afterAll(() => jest.restoreAllMocks());
