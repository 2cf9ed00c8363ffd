import { expect, test as base } from '@playwright/test';
import { overflowing, severeFindings } from './accessibility';
import { englishOn, showIn } from './french';
import { WatchedPage } from './watched-page';
import { WebService, type WebServiceOptions } from './web-service';
import { patient } from './patience';

/** The desk last: there tests go on. */
const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } } as const;

/** With each change a screen is looked at once; in a rehearsal and at night on both sizes, light and dark, in both languages. */
const DEVICES = process.env['JOURNEYS'] === 'change' ? (['desk'] as const) : (['phone', 'desk'] as const);
const IS_FRENCH_READ = process.env['JOURNEYS'] !== 'change';

/** A message about something that has happened stays for a moment, in the language it was said in. */
const OLD_MESSAGES_MS = patient(10_000);

interface WorkerFixtures {
  readonly serviceOptions: WebServiceOptions;
  readonly service: WebService;
}

interface TestFixtures {
  /** Console messages that the test provokes. */
  readonly expectedErrors: { readonly patterns: readonly RegExp[] };
  /** The page as it is can be used by everybody, on a desk and on a phone. */
  readonly isUsable: () => Promise<void>;
  /** The page as it is says everything in French as well, and fits; colours are those of English. */
  readonly isFrenchToo: () => Promise<void>;
}

/** Tests with a service of their worker, and a page that is watched: no errors, no other host asked. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  serviceOptions: [{}, { option: true, scope: 'worker' }],
  service: [
    async ({ serviceOptions }, use) => {
      const service = await WebService.start(serviceOptions);
      await use(service);
      await service.stop();
    },
    { scope: 'worker', timeout: patient(90_000) },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  expectedErrors: [{ patterns: [] }, { option: true }],
  page: async ({ page, service, expectedErrors }, use) => {
    const watched = new WatchedPage(page, service.url, expectedErrors.patterns);
    await use(page);
    expect(watched.errors, 'errors in the console').toEqual([]);
    expect(watched.foreign, 'requests to others').toEqual([]);
  },
  isUsable: async ({ page }, use) =>
    use(async () => {
      for (const device of DEVICES) {
        await page.setViewportSize(SIZES[device]);
        expect.soft(await severeFindings(page, device), `axe, on a ${device}`).toEqual([]);
        expect.soft(await overflowing(page), `too wide for a ${device}`).toEqual([]);
      }
    }),
  isFrenchToo: async ({ page }, use) =>
    use(async () => {
      if (!IS_FRENCH_READ) return;
      await showIn(page, 'fr');
      await page.setViewportSize(SIZES.phone);
      await expect
        .soft(async () => expect(await englishOn(page)).toEqual([]))
        .toPass({ timeout: OLD_MESSAGES_MS });
      expect.soft(await severeFindings(page, 'translated'), 'axe, in French').toEqual([]);
      expect.soft(await overflowing(page), 'too wide for a phone in French').toEqual([]);
      await page.setViewportSize(SIZES.desk);
      await showIn(page, 'en');
    }),
});

export { expect };
