import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compressed } from './build/compressed.ts';
import { stylesAfterStart } from './build/styles-after-start.ts';

const SDK = fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url));
/** The service; it runs with `APP_URL=http://localhost:5173` then. */
const SERVICE = process.env['MAILROOM_URL'] ?? 'http://localhost:3000';

const { version } = JSON.parse(
  readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'),
) as { version: string };

const TESTS = ['src/**/*.test.{ts,tsx}'];
/** These replace modules, or count calls that go on by themselves: each has a window of its own. */
const ALONE = [
  'src/api/live-updates.test.ts',
  'src/app/use-live-updates.test.tsx',
  'src/jobs/uploads/*.test.{ts,tsx}',
  'src/ui/MailRow.test.tsx',
  'src/ui/QueryView.test.tsx',
];

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [react(), stylesAfterStart(), compressed()],
  resolve: { alias: { '@mailroom/sdk': SDK } },
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    // Files, not data: addresses in scripts.
    assetsInlineLimit: 0,
    // The first page names all other scripts: names of hashes alone save nearly 3 KiB. The manifest has the names.
    rolldownOptions: { output: { chunkFileNames: 'assets/[hash].js' } },
    chunkSizeWarningLimit: 600,
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': SERVICE, '/health': SERVICE } },
  test: {
    environment: 'jsdom',
    setupFiles: ['./test/setup.ts'],
    restoreMocks: true,
    // How many times slower than an ordinary machine this one is, as a run of all tests has measured it.
    testTimeout: 30_000 * Number(process.env['TEST_PACE'] ?? 1),
    // As with the end-to-end specs.
    retry: process.env['CI'] ? 1 : 0,
    pool: 'threads',
    projects: [
      // A window of its own for each file takes most of the time.
      { extends: true, test: { name: 'shared', include: TESTS, exclude: ALONE, isolate: false } },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
  },
});
