// End-to-end specs talk to real services; a loaded machine may take its time.
jest.setTimeout(120_000);

// The next spec may get the same application.
afterAll(() => jest.restoreAllMocks());
