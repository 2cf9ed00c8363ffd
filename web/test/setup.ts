import { loadTexts, type PageTexts } from '../src/i18n/texts';
import { pages } from '../src/i18n/en/pages';
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

afterEach(() => cleanup());

// A machine that does much else at the same time is slow, which is no mistake of the page.
configure({ asyncUtilTimeout: 10_000 });

// What jsdom leaves out and Mantine asks for.
Object.defineProperty(window, 'matchMedia', {
  writable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    dispatchEvent: vi.fn(),
  }),
});

class NoResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
Object.assign(window, { ResizeObserver: NoResizeObserver });
Object.assign(window.HTMLElement.prototype, { scrollIntoView: () => undefined });

// In the client each page loads its own.
await Promise.all((Object.keys(pages) as PageTexts[]).map(loadTexts));
